"""Two runs side by side: which answers and claims changed, whether the difference is real, and what caused it."""

__all__ = [
    "baselines",
    "cautions",
    "changes",
    "compare",
    "comparison",
    "filters",
    "judge_noise",
    "pair_decisions",
    "pair_detail",
    "pairing",
    "sensitivity",
    "since_event",
    "waterfall",
]
