"""Judging answers: create, execute, resume and estimate runs.

`judge_rows`, `pending` and `in_flight` serve `execute` alone.
"""

__all__ = [
    "budget",
    "cluster",
    "create",
    "estimate",
    "execute",
    "judge_again",
    "judge_answer",
    "vendor_batches",
    "verdict_cache",
    "worker_process",
]
