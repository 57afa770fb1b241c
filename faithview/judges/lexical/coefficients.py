"""The fitted figures of the embedded judge: a logistic regression over `features`, and one over `pooling`.

Fitted with an L2 penalty on labelled claims and answers; only these figures are kept. Another fit over the same
features replaces the numbers and nothing else.
"""

# Per feature: mean, standard deviation, coefficient of the standardised feature.
CLAIM_INTERCEPT = 0.7670
CLAIM_COEFFICIENTS: dict[str, tuple[float, float, float]] = {
    "window_recall": (0.7393, 0.2920, 0.3476),
    "best_sentence_recall": (0.6794, 0.2763, 0.0563),
    "context_recall": (0.8047, 0.2536, -0.0581),
    "missing_words": (0.7266, 0.7518, 0.2138),
    "missing_share": (0.2023, 0.2535, 0.0549),
    "longest_missing_run": (0.5959, 0.6096, -0.1351),
    "rarest_missing": (3.2253, 3.2034, -0.2444),
    "unlike_words": (0.7143, 0.7467, -0.8127),
    "bigram_recall": (0.5064, 0.3503, 0.3528),
    "trigram_recall": (0.3778, 0.3805, -0.0126),
    "window_bigram_recall": (0.7270, 0.2802, 0.0705),
    "missing_names": (0.0551, 0.2879, -0.2283),
    "missing_values": (0.0479, 0.3073, -0.4090),
    "has_conflict": (0.0033, 0.0577, -0.0726),
    "words": (2.0874, 0.6060, 0.1591),
    "question_share": (0.1771, 0.1922, -0.1071),
    "is_item": (0.5319, 0.4990, -0.3170),
    "place": (0.4536, 0.3498, -0.0359),
    "advises": (0.2127, 0.5444, 0.1416),
    "hedges": (0.0724, 0.2808, 0.0371),
    "claims": (2.1117, 0.6269, -0.0968),
    "is_short": (0.0781, 0.2683, 0.0365),
}

ANSWER_INTERCEPT = 0.4410
ANSWER_COEFFICIENTS: dict[str, tuple[float, float, float]] = {
    "mean": (0.6312, 0.2089, 0.1049),
    "lowest": (0.4286, 0.2853, 0.6572),
    "second_lowest": (0.5872, 0.2699, 0.5307),
    "claims": (1.5373, 0.6350, 0.2547),
}
