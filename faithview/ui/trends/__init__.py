"""The Trends page: faithfulness over time."""

__all__ = [
    "choices",
    "events",
    "findings",
    "headline",
    "large_line",
    "panels",
    "run_link",
    "same_conclusion",
    "worst_answers",
]
