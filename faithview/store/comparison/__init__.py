"""Queries that a comparison of two runs needs, people's decisions about pairs, and cached comparisons."""

__all__ = ["cached_comparisons", "compared_answers", "labelled_claims", "pair_decisions"]
