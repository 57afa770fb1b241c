"""Judging answers: runs are created, executed, resumed and estimated."""

__all__ = ["batches", "budget", "cluster", "create", "execute", "intake", "judge_answer", "judge_rows", "worker"]
