"""The tour of the sample, which any of five pages shows a step of."""

__all__ = ["tour"]
