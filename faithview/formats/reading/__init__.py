"""What a reader of one tool's files is made of: what it recognises, what it asks, and the results it finds."""

__all__ = ["by_columns", "judged", "match", "named_scores", "objects", "reader", "score_columns", "values"]
