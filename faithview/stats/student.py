"""Student's quantiles and shares in their bounds, without numpy: `faithview runs` needs no more."""


def student_quantile(level: float, degrees: float) -> float:
    """Return the quantile of Student's t distribution for a two-sided interval of this level."""
    from scipy.special import stdtrit  # here, so that `import faithview` stays quick

    return float(stdtrit(degrees, (1 + level) / 2))


def clip(value: float) -> float:
    """Return the value brought into [0, 1]."""
    return min(1.0, max(0.0, float(value)))
