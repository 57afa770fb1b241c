"""The parts of a reader of one tool's files: recognition, questions to the user, and results."""

__all__ = ["named_scores", "objects", "own_rows", "reader", "score_columns", "values"]
