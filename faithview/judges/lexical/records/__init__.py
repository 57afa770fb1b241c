"""Checks claims about the fields of records and the cells of tables."""
