"""The page Try one answer: its verdicts, and what would be sent instead of it."""
