"""What each address of the service does."""

__all__ = ["answer_log", "judging", "probes", "traces"]
