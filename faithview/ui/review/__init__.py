"""The page Review: spot-checks and disagreements, one claim at a time."""

__all__ = [
    "claim_screen",
    "disagreements",
    "first_label",
    "navigator",
    "spot_check_results",
    "spot_checks",
]
