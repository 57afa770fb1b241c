"""The Queue page: spot-checks and disagreements, one claim at a time."""

__all__ = ["claim_screen", "disagreements", "part_choice", "result_page", "spot_checks"]
