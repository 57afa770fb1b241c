"""Groups of answers that score lower than the others: found among many, with few false alarms."""

__all__ = ["noticeable", "search", "shuffled_scores"]
