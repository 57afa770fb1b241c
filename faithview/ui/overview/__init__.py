"""The page Overview: the newest score, the claim that could do most harm, and what waits for reviewers."""

__all__ = ["harmful_claim", "last_changes", "latest_score", "needs_you", "notices", "run_table"]
