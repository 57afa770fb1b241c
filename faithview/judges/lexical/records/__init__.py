"""What a claim says of the fields of records and of the cells of tables."""

__all__ = ["cells", "grids", "place", "topics", "view", "yes_no"]
