"""The parts of the page Audit."""

__all__ = ["address", "entry_list", "filters"]
