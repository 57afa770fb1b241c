"""The public entailment pairs that the reader is trained on, made anew from the repositories that hold them."""

__all__ = ["catalogue", "pairs", "repositories", "stages"]
