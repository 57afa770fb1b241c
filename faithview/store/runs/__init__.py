"""Queries on runs, their answers and their figures."""
