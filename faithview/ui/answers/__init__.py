"""The page Answers: one run, its answers, and one answer next to its chunks."""
