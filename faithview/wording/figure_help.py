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

LOST = (
    "Points of faithfulness that claims take from the mean. Each broken claim takes one over the number of its "
    "answer's claims, divided by the number of pairs."
)
WON = "Points of faithfulness that claims add to the mean, counted in the same way."
TOTAL = "Points lost and gained together. The totals of all causes add up exactly to the runs' difference."
CLAIMS_BROKEN = "Claims that broke for this reason: not supported now, and supported or not claimed before."
CLAIMS_FIXED = "Claims that were fixed for this reason: supported or not claimed now, and not supported before."
ANSWERS_OF_CAUSE = "Pairs of answers whose score changed for this reason."

PAIRS = "Pairs of answers in the segment that have a score in both runs."
BEFORE = "Mean faithfulness of the pairs in the earlier run."
NOW = "Mean faithfulness of the pairs in the later run."
DIFFERENCE = "Now minus before. The next two columns are its 95% interval."
P_VALUE = (
    "How often chance alone would make such a difference or a larger one, if the runs were equally good: a sign-flip "
    "test with questions as units. If you look at many segments, use the adjusted p."
)
ADJUSTED_P = (
    "p, allowing for the number of segments (Benjamini and Hochberg 1995). Below 0.05 the difference is significant."
)
POINTS = "Points that the segment adds to the difference of all pairs; the points of all segments add up to it."
SHARE_OF_DIFFERENCE = "The points as a share of the difference. Negative if the segment changed in the other direction."

SAME_VERDICT = "How often both gave the same one of the four verdicts, including by chance."
JUDGE_MEAN = "The judge's own mean with its 95% interval and the judged answers."
RESTS_ON = "How many claims reviewers labelled in the spot-check, and how many more would reach the usual precision."
SHARE_OF_CITING = "Claims with this fault, as a share of the claims that cite it."
SPEED = "Answers judged per second when the file was measured, on that machine and with its load at the time."
SLICE_DIFFERENCE = "The slice's mean minus that of the other answers."


SCORE_HELP = (
    "The share of an answer's claims that its chunks support, averaged over the judged answers of a run, with a 95% "
    "interval over questions (Wilson's). Abstentions, answers without claims and failures are counted separately and "
    "are not part of the mean. In the reviewed view a reviewer's verdict replaces the judge's where there is one, and "
    "claims that the judge missed and reviewers added count too."
)
