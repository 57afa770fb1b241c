"""Exporters that write a run as CSV, JSON Lines or parquet, or in the format of another program."""
