"""Queries on labels and spot-checks, and the reviews that follow from labels."""
