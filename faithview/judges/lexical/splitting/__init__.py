"""An answer as claims, refusals and citations."""

__all__ = ["claims", "refusals", "replies"]
