"""What a reader of one tool's files is made of: what it recognises, what it asks, and the results it finds."""

__all__ = ["named_scores", "objects", "own_rows", "reader", "score_columns", "values"]
