"""The audit log: who did what, when and to which object."""

__all__ = ["log", "people"]
