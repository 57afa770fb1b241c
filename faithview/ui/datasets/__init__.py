"""The Data sets page: the rows that runs are over, in versions."""

__all__ = ["actions", "address", "choice", "page_data", "row_list", "row_panel", "version_tables"]
