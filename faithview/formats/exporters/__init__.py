"""Exporters that write a run as CSV, JSON Lines or parquet, or in the format of another program."""

__all__ = ["csv_jsonl_parquet", "exporter", "other_tools", "registry"]
