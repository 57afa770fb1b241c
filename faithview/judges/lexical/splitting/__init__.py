"""An answer as claims, refusals and citations."""

__all__ = ["blocks", "citations", "claims", "questions", "refusals", "replies", "talk"]
