"""Turns rows into samples: the meaning of each column, and the parsing of each cell."""
