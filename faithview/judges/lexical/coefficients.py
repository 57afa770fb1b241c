"""The fitted figures of the embedded judge: a logistic regression over `features`, and one over `pooling`.

Fitted with an L2 penalty on labelled claims and answers; only these figures are kept. Another fit over the same
features replaces the numbers and nothing else.
"""

# Per feature: mean, standard deviation, coefficient of the standardised feature.
CLAIM_INTERCEPT = 0.7653
CLAIM_COEFFICIENTS: dict[str, tuple[float, float, float]] = {
    "window_recall": (0.7393, 0.2920, 0.3373),
    "best_sentence_recall": (0.6794, 0.2763, 0.0443),
    "context_recall": (0.8062, 0.2532, -0.0439),
    "missing_words": (0.7203, 0.7515, 0.2228),
    "missing_share": (0.2003, 0.2529, 0.0631),
    "longest_missing_run": (0.5903, 0.6091, -0.1294),
    "rarest_missing": (3.2054, 3.2082, -0.2445),
    "unlike_words": (0.7079, 0.7464, -0.8110),
    "bigram_recall": (0.5064, 0.3503, 0.3563),
    "trigram_recall": (0.3778, 0.3805, -0.0064),
    "window_bigram_recall": (0.7270, 0.2802, 0.0901),
    "missing_names": (0.0551, 0.2879, -0.2260),
    "missing_values": (0.0460, 0.2957, -0.4130),
    "has_conflict": (0.0033, 0.0577, -0.0731),
    "words": (2.0874, 0.6060, 0.1476),
    "question_share": (0.1771, 0.1922, -0.1021),
    "is_item": (0.5319, 0.4990, -0.3141),
    "place": (0.4536, 0.3498, -0.0337),
    "advises": (0.2127, 0.5444, 0.1417),
    "hedges": (0.0724, 0.2808, 0.0386),
    "claims": (2.1117, 0.6269, -0.1060),
    "is_short": (0.0781, 0.2683, 0.0264),
}

ANSWER_INTERCEPT = 0.4355
ANSWER_COEFFICIENTS: dict[str, tuple[float, float, float]] = {
    "mean": (0.6313, 0.2087, 0.0924),
    "lowest": (0.4282, 0.2856, 0.6604),
    "second_lowest": (0.5877, 0.2698, 0.5441),
    "claims": (1.5373, 0.6350, 0.2681),
}
