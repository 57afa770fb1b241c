"""Queries on runs, their answers and their figures."""

__all__ = [
    "answers",
    "archive",
    "batches",
    "claim_harm",
    "effective_verdicts",
    "results",
    "results_under",
    "revisions",
    "runs",
    "samples",
    "summaries",
    "tallies",
]
