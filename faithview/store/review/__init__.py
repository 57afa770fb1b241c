"""Queries on labels and spot-checks, and the reviews that follow from labels."""

__all__ = [
    "carry_over",
    "earlier_labels",
    "effective_verdicts",
    "label_rows",
    "labels",
    "review_columns",
    "spot_checks",
]
