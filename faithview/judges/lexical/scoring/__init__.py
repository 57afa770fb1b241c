"""From a comparison to figures, and from those to probabilities."""

__all__ = ["answer_pooling", "claim_features", "context_features", "model", "refusal_features"]
