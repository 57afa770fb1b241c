"""Spot-checks of listed claims, what a finished spot-check found, and whether two runs are labelled alike."""

__all__ = ["check_result", "expected_width", "label_balance", "listed_claims", "listed_score"]
