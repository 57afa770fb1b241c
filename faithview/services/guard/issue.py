"""One thing that is wrong with an answer."""

from dataclasses import dataclass

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result
from faithview.domain.spans import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A claim that is not fully supported: its number in the result, from 1, and where the answer says it.

    `spans` is empty where the claim cannot be found in the answer.
    """

    number: int
    claim: Claim
    spans: tuple[Span, ...]


def issues_of(result: Result) -> tuple[Issue, ...]:
    """Return the claims of a result that are not fully supported, in their order."""
    return tuple(
        Issue(number=number, claim=claim, spans=claim.spans)
        for number, claim in enumerate(result.claims, start=1)
        if claim.verdict is not Verdict.SUPPORTED
    )
