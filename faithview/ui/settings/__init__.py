"""The page Settings: the store, the judges and the versions in use, and the audit log."""

__all__ = ["audit", "installation"]
