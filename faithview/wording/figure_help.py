"""The help of table columns: what each figure is, how it is computed and how sure it is, the same on every page."""

FAITHFUL = (
    "An answer is faithful if none of its claims is contradicted or not mentioned, and the share of supported claims "
    "is at least {threshold}. One invented claim is enough to make it unfaithful; the threshold matters only for "
    "partially supported claims."
)
FAITHFUL_IN_RUN = FAITHFUL.format(threshold="the run's threshold")
FAITHFUL_FROM = FAITHFUL.format(threshold="this threshold")

N = "Judged answers. The more there are, the narrower the interval."
COVERAGE = (
    "Answers with a verdict, as a share of those that should have one. Failed answers, answers without chunks and rows "
    "that could not be read lower it; abstentions and answers without claims do not."
)

INTERVAL = (
    "95% interval: the probable range of the score for other questions of the same kind. Wilson's, with questions as "
    "units."
)
CONFIDENCE = (
    "How sure the judge says it is of its verdict, from 0 to 1. *Judges* shows how often it is right when it says so."
)
CLAIMS = "Claims of the answer that the judge found."

SAME_VERDICT = "How often both gave the same one of the four verdicts, including by chance."
SPEED = "Answers judged per second when the file was measured, on that machine and with its load at the time."


SCORE_HELP = (
    "The share of an answer's claims that its chunks support, averaged over the judged answers of a run, with a 95% "
    "interval over questions (Wilson's). Abstentions, answers without claims and failures are counted separately and "
    "are not part of the mean. In the reviewed view a reviewer's verdict replaces the judge's where there is one, and "
    "claims that the judge missed and reviewers added count too."
)
