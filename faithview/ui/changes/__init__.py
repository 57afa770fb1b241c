"""The page Changes: what changed between two runs, in their answers and in the documents, and why."""

__all__ = [
    "changed_answers",
    "changed_documents",
    "compared_runs",
    "comparison_finding",
    "difference_charts",
    "pair_view",
]
