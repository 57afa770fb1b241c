"""The page Answers: one run, its answers, and one answer beside its chunks."""
