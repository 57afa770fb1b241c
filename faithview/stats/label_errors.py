"""How often a label is wrong, from the claims that several reviewers labelled.

The labels of one reviewer are compared with those of others on the same claims. If they differ and the claim is not
settled, either may be right; if an adjudicator or a majority has settled it, the others are wrong. A claim with one
label cannot be checked, so the label is assumed to be wrong as often as its reviewer's labels of the same kind could be
on claims that others labelled as well. This is what Manski's bounds (2003) do with ties, applied to claims on which a
tie could not show. It is valid if on each claim at least one of the reviewers is right.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

# With fewer claims in common, the rate of disagreement is not known.
LEAST_IN_COMMON = 10
_Kind = tuple[str, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedClaim:
    """The labels of a claim: by reviewer, whether they call it supported, None for "not a claim".

    `settled` is whether they settled on supported; None if they are tied or settled on "not a claim".
    """

    said: Mapping[str, bool | None]
    settled: bool | None

    @property
    def is_alike(self) -> bool:
        """Whether all labels agree."""
        return len(set(self.said.values())) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelErrors:
    """How often labels of one reviewer could be wrong.

    `reviewers` are those whose labels count. `in_common` counts the claims with labels by several of them, `differing`
    how many of these have different labels, and `single` the claims with one label. `is_known` says whether enough
    claims have labels by several reviewers; if not, each label counts as the truth.
    """

    reviewers: frozenset[str] = frozenset()
    in_common: int = 0
    differing: int = 0
    single: int = 0
    is_known: bool = False
    _could_be_wrong: Mapping[_Kind, float] = field(default_factory=dict)
    _of_all: Mapping[bool, float] = field(default_factory=dict)

    def chance(self, reviewer: str, *, supported: bool) -> float:
        """Return the probability in [0, 1] that such a label of the reviewer is wrong; 0 if unknown."""
        if not self.is_known:
            return 0.0
        return self._could_be_wrong.get((reviewer, supported), self._of_all.get(supported, 0.0))


def measure_errors(claims: Iterable[ReviewedClaim]) -> LabelErrors:
    """Return how often labels could be wrong, from the labelled claims of a spot-check."""
    claims = [claim for claim in claims if claim.said]
    common = [claim for claim in claims if len(claim.said) > 1]
    given, wrong = Counter[_Kind](), Counter[_Kind]()
    for claim in common:
        for reviewer, supported in claim.said.items():
            if supported is not None:
                given[reviewer, supported] += 1
                # If settled, the wrong ones are known; if tied, it could be either.
                wrong[reviewer, supported] += not claim.is_alike and claim.settled is not supported
    of_all = {
        kind: sum(n for (_, k), n in wrong.items() if k is kind) / total
        for kind in (True, False)
        if (total := sum(n for (_, k), n in given.items() if k is kind))
    }
    # A reviewer with few labels in common with others is shrunk to the average, which counts as one label. A rate from
    # few labels is uncertain, so one standard error is added.
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
    """Return the sums over several spot-checks; known only if known for each."""
    return LabelErrors(
        reviewers=frozenset[str]().union(*(part.reviewers for part in parts)),
        in_common=sum(part.in_common for part in parts),
        differing=sum(part.differing for part in parts),
        single=sum(part.single for part in parts),
        is_known=all(part.is_known for part in parts),
    )
