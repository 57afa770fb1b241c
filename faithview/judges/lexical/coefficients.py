"""The fitted figures of the embedded judge: a logistic regression over `features`, and one over `pooling`.

Fitted by logistic regression with an L2 penalty on labelled claims; only these figures are kept.
"""

# Per feature: mean, standard deviation, coefficient of the standardised feature.
CLAIM_INTERCEPT = 0.5
CLAIM_COEFFICIENTS: dict[str, tuple[float, float, float]] = {
    "window_recall": (0.7, 0.25, 0.6),
    "missing_words": (0.7, 0.7, -0.5),
    "longest_missing_run": (0.5, 0.5, -0.2),
    "rarest_missing": (2.0, 2.5, -0.4),
    "bigram_recall": (0.5, 0.3, 0.4),
    "missing_names": (0.1, 0.4, -0.2),
    "missing_values": (0.1, 0.4, -0.3),
}

ANSWER_INTERCEPT = 0.0
ANSWER_COEFFICIENTS: dict[str, tuple[float, float, float]] = {
    "mean": (0.6, 0.2, 0.5),
    "lowest": (0.4, 0.3, 0.5),
}
