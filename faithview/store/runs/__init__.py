"""Queries on runs, their answers and their figures."""

__all__ = ["answers", "batches", "results", "results_under", "revisions", "runs", "samples", "summaries", "tallies"]
