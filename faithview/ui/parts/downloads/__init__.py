"""Buttons that download reports and whole tables."""

__all__ = ["page_downloads", "report_download", "table_download"]
