"""What the claims around a claim miss, and how much it misses beside them."""

from faithview.judges.lexical.scoring.claim_view import ClaimInAnswer
from faithview.judges.lexical.scoring.feature import Family, place_feature


@place_feature()
def missing_before(place: ClaimInAnswer) -> float:
    """The weight of what is missing in the claim before it, -1 for none."""
    return -1.0 if place.before is None else place.answer.missing[place.before]


@place_feature()
def missing_after(place: ClaimInAnswer) -> float:
    """The weight of what is missing in the claim after it, -1 for none."""
    return -1.0 if place.after is None else place.answer.missing[place.after]


@place_feature()
def recall_before(place: ClaimInAnswer) -> float:
    """The share that its best window holds of the claim before it, -1 for none."""
    return -1.0 if place.before is None else place.answer.recall[place.before]


@place_feature()
def recall_after(place: ClaimInAnswer) -> float:
    """The share that its best window holds of the claim after it, -1 for none."""
    return -1.0 if place.after is None else place.answer.recall[place.after]


@place_feature()
def unlike_before(place: ClaimInAnswer) -> float:
    """How many words without another form in the chunks are missing in the claim before it, -1 for none."""
    return -1.0 if place.before is None else place.answer.claims[place.before].unlike_words


@place_feature()
def unlike_after(place: ClaimInAnswer) -> float:
    """How many words without another form in the chunks are missing in the claim after it, -1 for none."""
    return -1.0 if place.after is None else place.answer.claims[place.after].unlike_words


@place_feature()
def missing_rank(place: ClaimInAnswer) -> float:
    """The share of the claims that miss more."""
    answer = place.answer
    return answer.missing_ranks[answer.missing[place.number]] / answer.count


@place_feature()
def missing_said_before(place: ClaimInAnswer) -> float:
    """The share of its missing words that an earlier claim misses too."""
    return place.answer.missing_again[place.number]


FAMILY = Family(
    name="neighbours",
    features=(
        missing_before,
        missing_after,
        recall_before,
        recall_after,
        unlike_before,
        unlike_after,
        missing_rank,
        missing_said_before,
    ),
)
