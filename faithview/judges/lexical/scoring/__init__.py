"""From a comparison to figures, and from those to probabilities."""

__all__ = ["answer_pooling", "claim_view", "feature", "features", "model", "refusal_features"]
