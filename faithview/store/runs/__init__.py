"""Queries on runs, their answers and their figures."""

__all__ = [
    "answers",
    "archive",
    "batches",
    "effective_verdicts",
    "results",
    "results_under",
    "revisions",
    "runs",
    "samples",
    "summaries",
    "tallies",
]
