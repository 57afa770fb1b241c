"""Knowledge bases by version: stored, and two of them side by side with the claims that rest on what changed."""

__all__ = ["changes", "documents", "resting_claims", "steps", "versions"]
