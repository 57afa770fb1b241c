"""How much of a difference each cause explains; the shares add up to the difference exactly."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from faithview.domain.comparison import Cause, CauseShare, Term


def share_causes(answers: Iterable[Sequence[Term]], *, pairs: int) -> tuple[CauseShare, ...]:
    """Return the causes' shares of the mean difference, the largest loss first and the largest gain last.

    A cause's share is the sum of its terms' values divided by the number of pairs.

    Args:
        answers: the terms of each pair of answers that has any.
        pairs: how many pairs the mean is over, at least 1, those without terms included.
    """
    values: dict[Cause, list[float]] = defaultdict(list)
    affected: dict[Cause, int] = defaultdict(int)
    for terms in answers:
        for term in terms:
            values[term.cause].append(term.value)
        for cause in {term.cause for term in terms}:
            affected[cause] += 1
    shares = [
        CauseShare(
            cause=cause,
            lost=math.fsum(value for value in of_cause if value < 0) / pairs,
            won=math.fsum(value for value in of_cause if value > 0) / pairs,
            total=math.fsum(of_cause) / pairs,
            # Each term is a claim, but that of an answer which was scored as a whole.
            broken=0 if cause is Cause.SCORED_WHOLE else sum(value <= 0 for value in of_cause),
            fixed=0 if cause is Cause.SCORED_WHOLE else sum(value > 0 for value in of_cause),
            answers=affected[cause],
        )
        for cause, of_cause in values.items()
    ]
    return tuple(sorted(shares, key=lambda share: (share.total, share.cause)))
