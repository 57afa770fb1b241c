"""Statistics as pure functions on numbers: no store, no clock, and a fixed seed if they draw at random."""

__all__ = [
    "agreement",
    "corrected_difference",
    "corrected_score",
    "decomposition",
    "intervals",
    "judge_quality",
    "matching",
    "multiple_tests",
    "paired",
    "pairing",
    "precision",
    "run_score",
    "sampling",
    "slices",
    "spot_check",
    "trend_steps",
]
