"""Queries that a comparison of two runs needs, and the comparisons that are kept."""
