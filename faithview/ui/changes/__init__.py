"""The page Changes: what changed between two runs, in their answers and in the documents, and why."""
