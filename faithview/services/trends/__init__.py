"""Faithfulness over time: lines, events, control limits and level changes."""

__all__ = ["by_run", "by_timestamp", "control_chart", "events"]
