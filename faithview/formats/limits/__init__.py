"""What of a file is refused before it takes all memory or all day, and how those ceilings are set."""

__all__ = ["ceilings", "json_value", "packed_tables", "zip_directory"]
