"""Words beside a corrected score."""

from collections.abc import Mapping

from faithview.domain.scoring import Interval
from faithview.stats.corrected_difference import CorrectedDifference, NoCorrectedDifference
from faithview.wording import numbers as fmt

NOT_CHECKED = "Judge only, not checked by people."
WHILE_LABELLING = "while labelling, valid at every look"


def too_wide(interval: Interval, *, labels: int, more: int, half_width: float) -> str:
    """Say why a corrected score is not shown: its interval, and about how many more labels give +- `half_width`.

    `more` is 0 where the labels would be enough at the end of the spot-check, whose interval is narrower.
    """
    wide = f"{fmt.plural(labels, 'label')} {fmt.verb(labels, 'leaves', 'leave')} it between "
    text = f"Too few labels for a corrected score: {wide}{fmt.share(interval.low)} and {fmt.share(interval.high)}"
    if more:
        return f"{text}; about {fmt.count(more)} more give {fmt.plus_minus(half_width)}."
    return f"{text}; it is narrower when all claims of the spot-check are labelled."


def difference_too_wide(interval: Interval, needed: Mapping[str, int], *, half_width: float) -> str:
    """Say why the difference of two corrected scores is not shown: its interval, and where labels are missing.

    Args:
        interval: that of the difference.
        needed: by run, about how many more labels bring its own score to +- `half_width`.
        half_width: how wide half of an interval may be.
    """
    text = "Too few labels to compare the corrected scores: they leave the difference between "
    text += f"{fmt.signed(interval.low)} and {fmt.signed(interval.high)}"
    if not needed:
        return f"{text}. More labels in either run narrow it."
    parts = [f"{fmt.count(labels)} more labels in {run}" for run, labels in needed.items()]
    return f"{text}. About {' and '.join(parts)} bring each score to {fmt.plus_minus(half_width)}."


def corrected_line(found: CorrectedDifference | NoCorrectedDifference, *, decimals: int = 3) -> str:
    """Write the difference of two corrected scores, or why there is none, without saying which runs they are of."""
    if isinstance(found, NoCorrectedDifference):
        return f"not known. {found.message}"
    looks = "" if found.is_final else f", {WHILE_LABELLING}"
    difference = fmt.signed(found.difference, decimals=decimals)
    return (
        f"{fmt.share(found.baseline)} -> {fmt.share(found.candidate)}, {difference} "
        f"(95 % {fmt.signed_ends(found.interval, decimals=decimals)}{looks})"
    )
