"""What a claim says of the fields of records and of the cells of tables."""

__all__ = ["cells", "grids", "opening_hours", "said_hours", "schedule", "yes_no"]
