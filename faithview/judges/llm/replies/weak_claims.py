"""Claims with a ruling that a reader cannot check: what is marked, what is counted, and how far to trust the verdict.

A model that gives no quote from a chunk, or copies its quote from the answer, may be right, and its verdict is kept.
But nobody can see why, and models that judge without the chunks reply just so.
"""

from collections.abc import Iterable
from dataclasses import replace

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Weakness, weakness_warning

NO_QUOTE_GIVEN = "No quote given."

# What is left of a judge's confidence. A verdict that nothing shows is little better than a guess; a claim that is
# not found in the answer is mostly one in other words.
_KEPT = {Weakness.UNQUOTED: 0.5, Weakness.UNPLACED: 0.75}


def needs_quote(verdict: Verdict) -> bool:
    """Return whether a verdict rests on words of a chunk: every one but *not mentioned* does."""
    return verdict is not Verdict.NOT_MENTIONED


def weaknesses_of(claim: Claim) -> tuple[Weakness, ...]:
    """Return what of a claim's ruling a reader cannot check; nothing where all of it can be checked."""
    is_unquoted = needs_quote(claim.verdict) and not any(item.is_verified for item in claim.evidence)
    found = {Weakness.UNQUOTED: is_unquoted, Weakness.UNPLACED: not claim.is_anchored}
    return tuple(weakness for weakness, is_found in found.items() if is_found)


def weigh(claim: Claim) -> Claim:
    """Return the claim with less confidence for each weakness, and with a mark if it has no quote at all.

    The confidence is lowered, and the support score moves as much closer to a half.
    """
    weaknesses = weaknesses_of(claim)
    kept = 1.0
    for weakness in weaknesses:
        kept *= _KEPT[weakness]
    is_marked = Weakness.UNQUOTED in weaknesses and not claim.evidence
    return replace(
        claim,
        confidence=None if claim.confidence is None else claim.confidence * kept,
        support_score=None if claim.support_score is None else 0.5 + (claim.support_score - 0.5) * kept,
        explanation=f"{claim.explanation} {NO_QUOTE_GIVEN}".strip() if is_marked else claim.explanation,
    )


def weakness_warnings(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Return a warning for each weakness that claims of an answer have, with the number of claims that have it."""
    found = [weakness for claim in claims for weakness in weaknesses_of(claim)]
    return tuple(weakness_warning(weakness, found.count(weakness)) for weakness in Weakness if weakness in found)
