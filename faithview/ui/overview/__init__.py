"""The Overview page: the latest score, what needs attention, and the runs."""

__all__ = ["attention", "headline", "latest_change", "latest_trend", "low_slices", "notices", "run_table"]
