"""The page Review: spot-checks and disagreements, one claim at a time."""

__all__ = ["claim_screen", "disagreements", "navigator", "spot_check_results", "spot_checks"]
