"""Faithfulness over time, as both the trends page and the overview show it: the data and the sentence."""

__all__ = ["event_links", "trend_data", "trend_finding"]
