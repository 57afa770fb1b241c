"""Which chunks a claim cites, and how much of it those and others say."""

from collections.abc import Sequence

from faithview.judges.lexical.scoring.claim_view import ClaimView
from faithview.judges.lexical.scoring.feature import Family, claim_feature


@claim_feature(cap=3)
def cited(claim: ClaimView) -> float:
    """How many chunks it cites."""
    return len(claim.cited.own)


@claim_feature()
def cited_beyond(claim: ClaimView) -> float:
    """Whether it cites a chunk that is not there."""
    return any(not 1 <= number <= len(claim.context.texts) for number in claim.cited.own)


@claim_feature()
def cited_behind_best(claim: ClaimView) -> float:
    """How much less of it the best chunk that it cites says than the best of all."""
    return _behind_best(claim, claim.cited.own)


@claim_feature()
def cited_without(claim: ClaimView) -> float:
    """How much less of it the chunks that it cites say than all chunks."""
    return _without(claim, claim.cited.own)


@claim_feature(cap=3)
def carried(claim: ClaimView) -> float:
    """How many chunks it takes over from the citation of another claim."""
    return len(claim.cited.carried)


@claim_feature()
def carried_behind_best(claim: ClaimView) -> float:
    """How much less of it the best of those says than the best of all."""
    return _behind_best(claim, claim.cited.carried)


@claim_feature()
def carried_without(claim: ClaimView) -> float:
    """How much less of it those say than all chunks."""
    return _without(claim, claim.cited.carried)


@claim_feature()
def best_chunk(claim: ClaimView) -> float:
    """How much of it the best chunk says."""
    _, _, shares, _, total = claim.chunk_shares
    return max(shares) / total if shares else 0.0


@claim_feature()
def second_chunk(claim: ClaimView) -> float:
    """How much of it the second-best chunk says."""
    _, _, shares, _, total = claim.chunk_shares
    return sorted(shares)[-2] / total if len(shares) > 1 else 0.0


def _behind_best(claim: ClaimView, numbers: Sequence[int]) -> float:
    """Return how much less of the claim the best of these chunks, counted from 1, says than the best of all."""
    _, _, shares, _, total = claim.chunk_shares
    places = _places(numbers, shares)
    return (max(shares) - max(shares[place] for place in places)) / total if places else 0.0


def _without(claim: ClaimView, numbers: Sequence[int]) -> float:
    """Return how much less of the claim these chunks say together than all chunks do."""
    weights, chunks_with, shares, known, total = claim.chunk_shares
    places = _places(numbers, shares)
    if not places:
        return 0.0
    return (known - sum(w for stem, w in weights.items() if not places.isdisjoint(chunks_with[stem]))) / total


def _places(numbers: Sequence[int], shares: Sequence[int]) -> set[int]:
    return {number - 1 for number in numbers if 1 <= number <= len(shares)}


FAMILY = Family(
    name="citations",
    features=(
        cited,
        cited_beyond,
        cited_behind_best,
        cited_without,
        carried,
        carried_behind_best,
        carried_without,
        best_chunk,
        second_chunk,
    ),
)
