"""Fitting the model; nothing that judges imports this."""

__all__ = ["boosted_trees"]
