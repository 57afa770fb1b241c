"""Queries on labels and spot-checks, and the reviews that follow from labels."""

__all__ = [
    "carry_over",
    "earlier_labels",
    "label_rows",
    "labels",
    "review_columns",
    "spot_checks",
]
