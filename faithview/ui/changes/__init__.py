"""The pages Compare and Knowledge base: what changed between two runs or two versions, and why."""

__all__ = [
    "changed_answers",
    "changed_documents",
    "compared_runs",
    "comparison_finding",
    "difference_charts",
    "pair_view",
]
