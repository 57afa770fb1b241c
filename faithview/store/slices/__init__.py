"""Queries for slices: what is known of each judged answer of a run, to be grouped by."""

__all__ = ["answer_facts"]
