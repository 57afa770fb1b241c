"""Statistics as pure functions on numbers: no store, no clock, and a fixed seed if they draw at random."""

__all__ = [
    "agreement",
    "combined_scores",
    "corrected_difference",
    "corrected_score",
    "decomposition",
    "difference_interval",
    "intervals",
    "judge_noise",
    "judge_quality",
    "label_errors",
    "multiple_tests",
    "paired",
    "precision",
    "run_score",
    "sampling",
    "slices",
    "spot_check",
    "trend_steps",
]
