"""Spot-checks of listed claims, and what a finished spot-check found."""

__all__ = ["check_result", "expected_width", "listed_claims", "listed_score"]
