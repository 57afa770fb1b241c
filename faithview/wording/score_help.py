"""The tooltip that explains the faithfulness of a run."""

SCORE_HELP = (
    "The share of an answer's claims that its chunks support, averaged over the judged answers of a run, with a 95 % "
    "interval over questions (Wilson's). Abstentions, answers without claims and failures are counted separately and "
    "are not part of the mean. In the reviewed view people's verdicts count where there are any, and so do claims that "
    "people added because the judge missed them."
)
