"""From a comparison to figures, and from those to probabilities."""

__all__ = ["answer_features", "boosted_trees", "claim_view", "model", "wording_features"]
