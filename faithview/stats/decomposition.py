"""How much of a difference each cause explains; the shares add up to it exactly (METHODS, "The causes add up")."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from faithview.domain.comparison import Cause, CauseShare, Term


def share_causes(answers: Iterable[Sequence[Term]], *, pairs: int) -> tuple[CauseShare, ...]:
    """Return the causes' shares of the mean difference, the largest loss first and the largest gain last.

    Args:
        answers: the terms of each pair of answers that has any.
        pairs: how many pairs the mean is over, those without terms included.
    """
    values: dict[Cause, list[float]] = defaultdict(list)
    counts: dict[Cause, list[int]] = defaultdict(lambda: [0, 0, 0])
    for terms in answers:
        for term in terms:
            values[term.cause].append(term.value)
            counts[term.cause][term.value > 0] += 1
        for cause in {term.cause for term in terms}:
            counts[cause][2] += 1
    shares = [
        CauseShare(
            cause=cause,
            lost=math.fsum(value for value in found if value < 0) / pairs,
            won=math.fsum(value for value in found if value > 0) / pairs,
            total=math.fsum(found) / pairs,
            broken=counts[cause][0],
            mended=counts[cause][1],
            answers=counts[cause][2],
        )
        for cause, found in values.items()
    ]
    return tuple(sorted(shares, key=lambda share: (share.total, share.cause)))
