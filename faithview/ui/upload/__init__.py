"""The page Upload: from a file to a judged run."""
