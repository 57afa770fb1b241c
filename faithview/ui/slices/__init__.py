"""The page that answers where a run goes wrong."""

__all__ = ["found_slices"]
