"""The Upload page: from a file to a judged run."""
