"""The Search page: claims of all runs."""

__all__ = ["search_form", "search_results"]
