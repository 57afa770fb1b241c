"""How sure a judge is of its verdict on a claim, and which claims it finds only just supported."""

from typing import NamedTuple

from faithview.domain.claim import Verdict

# The judges whose probabilities were fitted to labels and measured on others (docs/measurements.md).
CALIBRATED = frozenset({"embedded"})

# A claim whose probability of support is between these, or one of them, is too close to the cut for such a judge to be
# sure: a cascade sends it to a model, and it reads "check this" where the judge calls it supported. On documentation
# that nothing was fitted to, one in six of the latter is wrong, and one in thirteen of the others that are called
# supported (tests/performance/embedded_quality.py).
SURELY_UNSUPPORTED, SURELY_SUPPORTED = 0.2, 0.8
_EVEN = 0.5


class Certainty(NamedTuple):
    """How sure a judge is of its verdict on one claim.

    `confidence` is the judge's probability in [0, 1] that its verdict is right, None if it states none. `is_near_cut`
    says that the judge calls the claim supported, but with a probability near its cut, so a person should check it.
    """

    confidence: float | None = None
    is_near_cut: bool = False

    def once_labelled(self) -> "Certainty":
        """Return the same for a verdict on a claim that reviewers have settled, which needs no further check."""
        return self._replace(is_near_cut=False)


# Of a verdict without a judge's probability: a reviewer's, or that of a judge that states none.
UNSTATED = Certainty()


def is_uncertain(support: float | None, judge: str) -> bool:
    """Return whether the judge of that name is unsure of a claim to which it gives this probability of support."""
    return judge in CALIBRATED and support is not None and SURELY_UNSUPPORTED <= support <= SURELY_SUPPORTED


def leans_to_support(verdict: Verdict, support: float | None, judge: str) -> bool:
    """Return whether the judge of that name calls a claim unsupported that it gives an even chance or more of support.

    Its cut is higher than one half, because an error that is called supported does more harm than a second look.
    """
    return judge in CALIBRATED and verdict is not Verdict.SUPPORTED and support is not None and support >= _EVEN


def certainty_of(verdict: Verdict, confidence: float | None, judge: str) -> Certainty:
    """Return how sure the judge of that name is of its verdict."""
    return Certainty(
        confidence,
        judge in CALIBRATED
        and verdict is Verdict.SUPPORTED
        and confidence is not None
        and confidence <= SURELY_SUPPORTED,
    )
