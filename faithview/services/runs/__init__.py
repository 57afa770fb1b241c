"""Judging answers: create, execute, resume and estimate runs."""

__all__ = [
    "budget",
    "create",
    "estimate",
    "execute",
    "judge_answer",
    "vendor_batches",
    "verdict_cache",
    "worker_process",
]
