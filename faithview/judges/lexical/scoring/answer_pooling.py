"""From the claims' probabilities to the answer's."""

from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from math import log, log1p

from faithview.domain.claim import Verdict
from faithview.domain.scoring import is_faithful
from faithview.judges.lexical.scoring.model import log_odds
from faithview.judges.lexical.scoring.refusal_features import DENIAL_FIGURES

# What the pooling knows of an answer, in the order of `answer_figures`.
BESIDE = ("words_found", *DENIAL_FIGURES)
ANSWER_FIGURES = ("lowest", "second", "third", "mean", "all", "expected", "claims", *BESIDE)


class AnswerKind(StrEnum):
    """Kinds of answers that differ in how doubtful a faithful one looks: of one claim, of several, about records."""

    ONE = "one"
    SEVERAL = "several"
    RECORD = "record"


KINDS = tuple(AnswerKind)


def kind_of(claims: int, *, is_record: bool) -> AnswerKind:
    """Return the kind of an answer with so many claims."""
    if is_record:
        return AnswerKind.RECORD
    return AnswerKind.ONE if claims <= 1 else AnswerKind.SEVERAL


# Where an answer has no second or third claim, a claim that is sure to be supported stands for it.
_SURE = 0.99


def answer_figures(support: Sequence[float], beside: Sequence[float]) -> dict[str, float]:
    """Return what the pooling knows of an answer: figures over the support scores of its claims (at least one).

    `beside` holds the share of all their words, plain ones too, that the chunks hold, and what the answer says that
    the context does not tell (`denial_figures`). The others are the log odds of
    the three weakest claims and the mean of all, the log odds that all hold if each were independent of the others, how
    many are expected not to, and how many there are: the weakest of many is weaker by chance alone.
    """
    ranked = sorted(min(0.999, max(0.001, value)) for value in support)
    weakest = [*ranked[:3], _SURE, _SURE]
    odds = [log_odds(value) for value in ranked]
    all_hold = sum(log(value) for value in ranked)  # never 0
    values = (
        log_odds(weakest[0]),
        log_odds(weakest[1]),
        log_odds(weakest[2]),
        sum(odds) / len(odds),
        max(-8.0, all_hold),
        log1p(sum(1 - value for value in ranked)),
        log(len(ranked)),
        *beside,
    )
    return dict(zip(ANSWER_FIGURES, (round(value, 5) for value in values), strict=True))


def weakest_claims(support: Sequence[float]) -> set[int]:
    """Return the numbers of the weakest claims: so many that the answer is unfaithful if each holds in part."""
    count = len(support)

    def is_unfaithful(weak: int) -> bool:
        parts = [Verdict.PARTIALLY_SUPPORTED] * weak
        return is_faithful([*parts, *[Verdict.SUPPORTED] * (count - weak)]) is False

    needed = bisect_left(range(count + 1), True, lo=1, hi=count, key=is_unfaithful)
    return set(sorted(range(count), key=lambda number: (support[number], number))[:needed])
