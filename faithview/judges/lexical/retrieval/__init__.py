"""The chunks cut into passages, and which of them say most of a claim."""

__all__ = ["index", "passage"]
