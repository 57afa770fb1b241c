"""Student's quantiles and shares in their bounds, without numpy: `faithview runs` needs no more."""


def student_quantile(level: float, degrees: float) -> float:
    """Return the quantile of Student's t distribution for a two-sided interval of this level."""
    from scipy.special import stdtrit  # here, so that `import faithview` stays quick

    return float(stdtrit(degrees, (1 + level) / 2))


def student_p_value(value: float, degrees: float) -> float:
    """Return the two-sided p-value, in [0, 1], of a value that has Student's t distribution if nothing differs."""
    from scipy.special import stdtr

    return min(1.0, 2 * float(stdtr(degrees, -abs(value))))


def clip(value: float) -> float:
    """Return the value brought into [0, 1]."""
    return min(1.0, max(0.0, float(value)))
