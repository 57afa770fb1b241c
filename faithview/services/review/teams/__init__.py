"""How reviewers work together: queues of their own, and notes on claims."""

__all__ = ["assignments", "notes"]
