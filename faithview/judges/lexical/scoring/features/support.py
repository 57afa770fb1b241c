"""Where in the chunks an answer finds its claims, and how much of the chunks it uses."""

from math import log1p

from faithview.judges.lexical.scoring.claim_view import AnswerView, ClaimInAnswer
from faithview.judges.lexical.scoring.feature import Family, answer_feature, place_feature


@place_feature()
def window_place(place: ClaimInAnswer) -> float:
    """Where in the chunks the best window begins, 0 to 1."""
    return place.answer.window_starts[place.number] / place.answer.passages


@place_feature()
def window_step(place: ClaimInAnswer) -> float:
    """How far it lies behind that of the claim before."""
    if place.before is None:
        return 0.0
    here, there = place.answer.window_starts[place.number], place.answer.window_starts[place.before]
    return (here - there) / place.answer.passages if here >= 0 and there >= 0 else 0.0


@place_feature(cap=20)
def window_chunk(place: ClaimInAnswer) -> float:
    """The number of its chunk, from 0; -1 where no window is found."""
    here = place.answer.window_starts[place.number]
    return place.answer.context.passages[here].chunk if here >= 0 else -1


@place_feature()
def same_window(place: ClaimInAnswer) -> float:
    """Whether an earlier claim has its best window there too."""
    return place.answer.window_starts[place.number] in place.answer.window_starts[: place.number]


@answer_feature()
def context_covered(answer: AnswerView) -> float:
    """The logarithm of the share of the passages that stand in a claim's best window."""
    return log1p(answer.covered) - log1p(answer.passages)


@answer_feature()
def cites_share(answer: AnswerView) -> float:
    """The share of the claims that point at a source."""
    return sum(claim.citing_words > 0 for claim in answer.claims) / answer.count


@answer_feature()
def is_record(answer: AnswerView) -> float:
    """Whether a chunk is a record."""
    return answer.context.is_record


FAMILY = Family(
    name="support",
    features=(
        window_place,
        window_step,
        window_chunk,
        same_window,
        context_covered,
        cites_share,
        is_record,
    ),
)
