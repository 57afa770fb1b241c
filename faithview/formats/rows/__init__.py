"""Rows as samples: which column means what, and how each cell is read."""
