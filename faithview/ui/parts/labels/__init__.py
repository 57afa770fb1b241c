"""Labels that are given beside the judge's verdict, on pages that are about something else."""

__all__ = ["claim_labels"]
