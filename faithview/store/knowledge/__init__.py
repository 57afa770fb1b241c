"""Queries on knowledge bases: their versions, the passages in them, and the claims that rest on passages."""

__all__ = ["claim_details", "passages", "versions"]
