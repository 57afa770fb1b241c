"""Words of the queue page: what a finished spot-check found, in sentences."""

from collections import Counter

from faithview.services.review.checks.check_result import CheckResult, FoundScore, MistakeKind, MoreLabels
from faithview.services.review.corrected_score import said_beside, why_no_score
from faithview.stats.prediction_powered import CorrectedScore
from faithview.wording import numbers as fmt
from faithview.wording.corrected import CORRECTED_HELP

_KIND_WORDS = {
    MistakeKind.MISSED: "missed (the judge says supported, people do not)",
    MistakeKind.FALSE_ALARM: "wrongly flagged (people say supported, the judge does not)",
    MistakeKind.OTHER: "with the wrong kind of error",
    MistakeKind.NOT_A_CLAIM: "not a claim at all",
}


_LIST_HELP = (
    "The share of the listed claims that people call supported, estimated from those drawn at random, with a 95 % "
    "interval. It is about this list only and changes no run's score."
)
AGREEMENT_HELP = (
    "Claims of this spot-check on which people settled, and on how many of them the judge gave the same verdict of the "
    "four. These are plain counts; *Judges* weights each label by one over its claim's chance of being drawn, so its "
    "agreement can be another."
)


def agreement_words(result: CheckResult) -> str:
    """Return how often people and judge agree: "People and judge agree on 13 of 16 claims."."""
    if not result.compared:
        return "People have settled on no claim yet."
    agreed = fmt.count(result.agreed)
    return f"People and judge agree on {agreed} of {fmt.plural(result.compared, 'claim')}."


def mistakes_words(result: CheckResult) -> str:
    """Return the judge's mistakes by kind, the most frequent first."""
    if not result.compared:
        return ""
    if not result.mistakes:
        return "The judge made no mistakes."
    kinds = Counter(mistake.kind for mistake in result.mistakes).most_common()
    parts = [f"{fmt.count(number)} {_KIND_WORDS[kind]}" for kind, number in kinds]
    return f"The judge made {fmt.plural(len(result.mistakes), 'mistake')}: {'; '.join(parts)}."


def limits_words(result: CheckResult) -> list[str]:
    """Return what limits the result, a sentence each: ties, missing labels, labels that were not blind."""
    words = []
    if result.tied:
        disagree = fmt.plural(result.tied, "claim")
        words.append(f"Reviewers disagree on {disagree}. Disputed claims do not count until somebody settles them.")
    if result.unlabelled:
        words.append(f"{fmt.plural(result.unlabelled, 'claim')} {fmt.verb(result.unlabelled, 'has', 'have')} no label.")
    seen = result.compared - result.blind
    if result.check.is_blind and seen:
        words.append(
            f"{fmt.count(seen)} of the {fmt.plural(result.compared, 'claim')} "
            f"{fmt.verb(seen, 'was', 'were')} labelled by somebody who had seen the judge's verdict."
        )
    return words


def score_words(found: FoundScore, *, with_name: bool) -> str:
    """Return the corrected score in Markdown beside the judge's, or why there is none; what it is about comes first."""
    correction = found.correction
    about = _about(found, with_name=with_name)
    score, reason = correction.score, why_no_score(correction)
    if reason is not None or not isinstance(score, CorrectedScore):
        return f"{about}{fmt.literal(reason or '')}"
    estimate = score.corrected
    figure = f"**{fmt.share(estimate.score)}** ({fmt.ends(estimate.interval)})"
    beside = [fmt.literal(words) for words in said_beside(correction)]
    if correction.check.population is not None:
        text = f"{about}people call {figure} of them supported, the judge {fmt.share(score.judge)}."
        return " ".join([text, *beside])
    rests = f", from {fmt.plural(correction.labels, 'label')}"
    if correction.checks > 1:
        rests += f" of {fmt.plural(correction.checks, 'spot-check')}"
    text = f"{about}corrected score {figure} instead of the judge's {fmt.share(score.judge)}{rests}."
    return " ".join([text, *beside])


def score_help(found: FoundScore) -> str:
    """Return what the corrected score is, and what it is about."""
    return CORRECTED_HELP if found.correction.check.population is None else _LIST_HELP


def more_words(more: MoreLabels) -> str:
    """Return what more labels would give, as a button's words: "Label 24 more for ±0.05"."""
    return f"Label {fmt.count(more.labels)} more for {fmt.plus_minus(more.half_width)}"


def _about(found: FoundScore, *, with_name: bool) -> str:
    population = found.correction.check.population
    if population is not None:
        number = fmt.plural(found.correction.answers, "claim")
        return f"About the {number} in *{fmt.literal(population)}*, and no others: "
    return f"*{fmt.literal(found.run_name or '')}*: " if with_name else "Faithfulness: "
