"""Queries on judges' agreement with people and with each other, and on benchmark results."""
