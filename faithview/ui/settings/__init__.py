"""The Settings page: the store, the judges and the versions in use."""

__all__ = ["installation", "judges_tried"]
