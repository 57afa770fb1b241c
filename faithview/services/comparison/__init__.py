"""Two runs side by side: which answers and claims changed, whether the difference is real, and what caused it."""

__all__ = [
    "baselines",
    "changes",
    "compare",
    "compared_runs",
    "comparison_document",
    "judge_noise",
    "run_differences",
]
