"""The page Overview: the latest score, what needs attention, and the runs."""

__all__ = ["latest_score", "notices", "run_table"]
