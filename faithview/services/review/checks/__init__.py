"""Spot-checks of listed claims, and what a finished spot-check found."""

__all__ = ["listed_claims", "listed_score"]
