"""What reviewers share: whose queue a spot-check is in, and notes on claims."""

__all__ = ["assignments", "notes"]
