"""The words that explain a corrected score."""

from typing import TYPE_CHECKING

from faithview.domain.scoring import Interval
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.stats.corrected_difference import CorrectedDifference, NoCorrectedDifference
    from faithview.stats.label_errors import LabelErrors

NOT_CHECKED = "Judge only, not checked by reviewers."
WHILE_LABELLING = "while labelling, valid at every look"
CORRECTED_HELP = (
    "The judge's mean over all answers, corrected by how often reviewers found it wrong on claims drawn at random "
    "with known chances (prediction-powered inference; Angelopoulos, Duchi and Zrnic 2023), with a 95% interval. n "
    "counts what was drawn and labelled: claims, or answers where whole answers were drawn. During labelling the "
    "interval is wider, so it is valid however often you look (an asymptotic confidence sequence; Waudby-Smith and "
    "others 2024); at the end of the spot-check it is the ordinary one. Labels given outside the spot-check are not "
    "used, because the chance that their claims were picked is unknown. Claims that the judge missed count in the "
    "reviewed score; here they count only where whole answers were drawn, or where every claim is labelled."
)


def judge_only(*, labelled: int, check: str | None = None, in_check: int = 0) -> str:
    """Say that a run's score is the judge's alone, and what reviewers have done so far.

    Args:
        labelled: how many of the run's claims have an agreed label, in a spot-check or not.
        check: the name of its spot-check, ready for the page; None if none was drawn.
        in_check: how many of the claims were settled in that spot-check.
    """
    if check is not None and in_check:
        verb = fmt.verb(in_check, "is", "are")
        return f"Judge only: {fmt.plural(in_check, 'label')} of {check} {verb} too few to correct the score."
    if not labelled:
        return NOT_CHECKED if check is None else f"Judge only, not checked by reviewers: {check} has no labels yet."
    claims = f"{fmt.plural(labelled, 'claim')} {fmt.verb(labelled, 'has', 'have')} labels by reviewers"
    why = "no spot-check was drawn" if check is None else f"none in {check}"
    return f"Judge only: {claims}, but {why}, so the score is not corrected."


LABELS_AS_TRUTH = "each label counts as the truth"


def trust_words(errors: "LabelErrors") -> str:
    """Say how far the labels behind a corrected score can be trusted; "" if several labelled every claim."""
    if not errors.reviewers:
        return ""
    if not errors.is_known:
        if len(errors.reviewers) == 1:
            return f"One reviewer labelled these claims, so {LABELS_AS_TRUTH}."
        has = fmt.verb(errors.in_common, "has", "have")
        common = f"Only {fmt.plural(errors.in_common, 'claim')} {has}" if errors.in_common else "No claim has"
        return f"{common} labels by several reviewers, so how often they differ is unknown and {LABELS_AS_TRUTH}."
    if not errors.single:
        return ""
    common = f"Several reviewers labelled {fmt.plural(errors.in_common, 'claim')}"
    single = f"{fmt.plural(errors.single, 'claim')} {fmt.verb(errors.single, 'has', 'have')} one label"
    if not errors.differing:
        return f"{common} and agree on all. {single}."
    differ = f"{common} and differ on {fmt.count(errors.differing)}."
    return f"{differ} {single}; the interval allows for mistakes there at the same rate."


def target_words(no_claims: int, *, labels: int, apart: float) -> str:
    """Say how claims that reviewers took out affect a corrected score if claims were drawn singly; else "".

    Args:
        no_claims: how many of the labelled claims are none.
        labels: how many claims are labelled.
        apart: how far the score can be from the mean over answers, at most about.
    """
    if not fmt.share(apart).strip("0."):
        return ""
    return (
        f"Reviewers say that {fmt.count(no_claims)} of the {fmt.plural(labels, 'labelled claim')} are not claims. The "
        "claims were drawn one by one, so an answer counts by its share of real claims: the mean over answers can be "
        f"up to {fmt.share(apart)} higher or lower."
    )


def too_wide(
    interval: Interval, *, labels: int, more: int, half_width: float, sampling_half_width: float | None = None
) -> str:
    """Say why a corrected score is not shown: its interval, and about how many more labels give +- `half_width`.

    `more` is 0 where the labels would be enough at the end of the spot-check, whose interval is narrower. Where half of
    the interval of sampling alone is narrow enough, more labels do not help: reviewers differ, or claims were skipped.
    """
    if sampling_half_width is not None and sampling_half_width <= half_width:
        return (
            f"Labels that are missing or differ leave the corrected score between {fmt.share(interval.low)} and "
            f"{fmt.share(interval.high)}. It is narrower once skipped claims are labelled and disagreements settled."
        )
    wide = f"{fmt.plural(labels, 'label')} {fmt.verb(labels, 'leaves', 'leave')} it between "
    text = f"Too few labels for a corrected score: {wide}{fmt.share(interval.low)} and {fmt.share(interval.high)}"
    if more:
        return f"{text}; about {fmt.count(more)} more give {fmt.plus_minus(half_width)}."
    return f"{text}; it is narrower when all claims of the spot-check are labelled."


def corrected_line(found: "CorrectedDifference | NoCorrectedDifference") -> str:
    """Write the difference of two corrected scores, or why there is none, without saying which runs they are of."""
    # Here, so commands without such a difference do not load the statistics.
    from faithview.stats.corrected_difference import NoCorrectedDifference

    if isinstance(found, NoCorrectedDifference):
        return f"not known. {found.message}"
    looks = "" if found.is_final else f", {WHILE_LABELLING}"
    difference = fmt.signed(found.difference, decimals=3)
    return (
        f"{fmt.share(found.baseline)} -> {fmt.share(found.candidate)}, {difference} "
        f"(95% {fmt.signed_ends(found.interval, decimals=3)}{looks})"
    )
