"""An answer as claims, refusals and citations."""

__all__ = ["citations", "claims", "refusals"]
