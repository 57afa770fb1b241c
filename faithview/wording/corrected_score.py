"""The words that explain a corrected score."""

from typing import TYPE_CHECKING

from faithview.domain.scoring import Interval
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.stats.corrected_difference import CorrectedDifference

NOT_CHECKED = "Judge only, not checked by reviewers."
CORRECTED_HELP = (
    "The judge's mean over all answers, corrected by the errors that reviewers found in a spot-check, with a 95% "
    "interval; n counts the labelled claims. Labels outside of spot-checks and claims that the judge missed do not "
    "count."
)


def judge_only(*, labelled: int, check: str | None = None, in_check: int = 0) -> str:
    """Say that a run's score is the judge's alone, and what reviewers have done so far.

    Args:
        labelled: how many of the run's claims have an agreed label, in a spot-check or not.
        check: the name of its spot-check, ready for the page; None if none was drawn.
        in_check: how many of the claims were settled in that spot-check.
    """
    if check is not None and in_check:
        verb = fmt.verb(in_check, "does", "do")
        return f"Judge only: {fmt.plural(in_check, 'label')} of {check} {verb} not correct the score yet."
    if not labelled:
        return NOT_CHECKED if check is None else f"Judge only, not checked by reviewers: {check} has no labels yet."
    claims = f"{fmt.plural(labelled, 'claim')} {fmt.verb(labelled, 'has', 'have')} labels by reviewers"
    why = "no spot-check was drawn" if check is None else f"none in {check}"
    return f"Judge only: {claims}, but {why}, so the score is not corrected."


def too_wide(
    interval: Interval, *, labels: int, more: int, half_width: float, sampling_half_width: float | None = None
) -> str:
    """Say why a corrected score is not shown: its interval, and about how many more labels give +- `half_width`.

    Where half of the interval of sampling alone is narrow enough, more labels do not help: reviewers differ, or claims
    were skipped.
    """
    if sampling_half_width is not None and sampling_half_width <= half_width:
        return (
            f"Labels that are missing or differ leave the corrected score between {fmt.share(interval.low)} and "
            f"{fmt.share(interval.high)}. It is narrower once skipped claims are labelled and disagreements settled."
        )
    wide = f"{fmt.plural(labels, 'label')} {fmt.verb(labels, 'leaves', 'leave')} it between "
    text = f"Too few labels for a corrected score: {wide}{fmt.share(interval.low)} and {fmt.share(interval.high)}"
    return f"{text}; about {fmt.count(more)} more give {fmt.plus_minus(half_width)}."


def corrected_line(found: "CorrectedDifference") -> str:
    """Write the difference of two corrected scores, without saying which runs they are of."""
    difference = fmt.signed(found.difference, decimals=3)
    return (
        f"{fmt.share(found.baseline)} -> {fmt.share(found.candidate)}, {difference} "
        f"(95% {fmt.signed_ends(found.interval, decimals=3)})"
    )
