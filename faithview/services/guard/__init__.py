"""Checking an answer before it is sent: pass it, correct it, or block it and say why."""

__all__ = ["background", "check", "correction", "generation", "guard", "guarded_answer", "highlight", "issue"]
