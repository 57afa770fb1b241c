"""Help texts for faithfulness, the same on every page."""

FAITHFUL = (
    "An answer is faithful if none of its claims is contradicted or not mentioned, and the share of supported claims "
    "is at least {threshold}."
)
FAITHFUL_IN_RUN = FAITHFUL.format(threshold="the run's threshold")
FAITHFUL_FROM = FAITHFUL.format(threshold="this threshold")

SCORE_HELP = (
    "The mean share of supported claims per judged answer, by the judge, with a 95% interval. Answers that abstained, "
    "have no claims or chunks, or failed do not count."
)
