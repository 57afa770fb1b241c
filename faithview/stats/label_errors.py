"""How often a label is wrong, from the claims that several reviewers labelled.

What one reviewer says can be held against what others say of the same claims. Where they differ and nobody has settled
it, either may be right; where an adjudicator or a majority has, the others are wrong. On a claim with one label nobody
can look, so the label is taken to be wrong as often as its reviewer's labels of the same kind could be on the claims
that others labelled too. That is what Manski's bounds (2003) do with ties, for claims on which a tie was not given the
chance to show. It holds if on each claim at least one of the reviewers is right.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

# With fewer claims in common, how often reviewers differ is not known.
LEAST_IN_COMMON = 10
_Kind = tuple[str, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedClaim:
    """What reviewers said of a claim: by reviewer, whether they call it supported, None for "not a claim".

    `settled` is whether they settled on supported; None where they are tied, or it is no claim.
    """

    said: Mapping[str, bool | None]
    settled: bool | None

    @property
    def is_alike(self) -> bool:
        """Whether all say the same."""
        return len(set(self.said.values())) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelErrors:
    """How often labels of one reviewer could be wrong.

    `reviewers` are the people whose labels count. `in_common` counts the claims with labels by several of them,
    `differing` those of them on which they differ, and `single` the claims with one label. `is_known` says whether
    enough claims have labels by several reviewers; where they have not, each label counts as the truth.
    """

    reviewers: frozenset[str] = frozenset()
    in_common: int = 0
    differing: int = 0
    single: int = 0
    is_known: bool = False
    _could_be_wrong: Mapping[_Kind, float] = field(default_factory=dict)
    _of_all: Mapping[bool, float] = field(default_factory=dict)

    def chance(self, reviewer: str, *, supported: bool) -> float:
        """Return how likely such a label of the reviewer could be wrong, in [0, 1]; 0 where that is not known."""
        if not self.is_known:
            return 0.0
        return self._could_be_wrong.get((reviewer, supported), self._of_all.get(supported, 0.0))


def measure_errors(claims: Iterable[ReviewedClaim]) -> LabelErrors:
    """Return how often labels could be wrong, from the claims of a spot-check that people labelled."""
    claims = [claim for claim in claims if claim.said]
    common = [claim for claim in claims if len(claim.said) > 1]
    given, wrong = Counter[_Kind](), Counter[_Kind]()
    for claim in common:
        for reviewer, supported in claim.said.items():
            if supported is not None:
                given[reviewer, supported] += 1
                # Settled, it is known; tied, it could be either.
                wrong[reviewer, supported] += not claim.is_alike and claim.settled is not supported
    of_all = {
        kind: sum(n for (_, k), n in wrong.items() if k is kind) / total
        for kind in (True, False)
        if (total := sum(n for (_, k), n in given.items() if k is kind))
    }
    # A reviewer with few labels in common with others is taken to be in part like all: that counts as one label. Few
    # labels tell a rate roughly, so it is taken to be one standard error higher.
    rates = {}
    for kind, number in given.items():
        rate = (wrong[kind] + of_all[kind[1]]) / (number + 1)
        rates[kind] = min(1.0, rate + math.sqrt(rate * (1 - rate) / (number + 1)))
    return LabelErrors(
        reviewers=frozenset(reviewer for claim in claims for reviewer in claim.said),
        in_common=len(common),
        differing=sum(not claim.is_alike for claim in common),
        single=len(claims) - len(common),
        is_known=len(common) >= LEAST_IN_COMMON,
        _could_be_wrong=rates,
        _of_all=of_all,
    )


def pool_errors(parts: Sequence[LabelErrors]) -> LabelErrors:
    """Return the counts of several spot-checks together; it is known only where it is known of each."""
    return LabelErrors(
        reviewers=frozenset[str]().union(*(part.reviewers for part in parts)),
        in_common=sum(part.in_common for part in parts),
        differing=sum(part.differing for part in parts),
        single=sum(part.single for part in parts),
        is_known=all(part.is_known for part in parts),
    )
