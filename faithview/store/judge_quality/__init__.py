"""Queries on judges' agreement with people and with each other, and on benchmark results."""

__all__ = ["benchmarks", "judged_pairs", "settled_claims"]
