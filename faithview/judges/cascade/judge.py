"""The cascade: the default judge first, then the model for the claims between the cuts."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from faithview.domain.claim import Claim
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.capabilities import SupportsThreads, SupportsVerifying
from faithview.judges.cascade.cuts import Cuts

# A new number whenever the code changes a verdict; the fingerprints of both judges are beside it.
_RULES = "cascade/1"

Verify = Callable[[Sequence[Claim]], Awaitable[Result]]


class CascadeJudge:
    """Asks a second judge about the claims that the first is unsure of. Its only state is theirs."""

    def __init__(self, first: SupportsThreads, asked: SupportsVerifying, cuts: Cuts) -> None:
        self._first = first
        self._asked = asked
        self._cuts = cuts

    @property
    def name(self) -> str:
        """The name of the judge that is asked, after "cascade:"."""
        return f"cascade:{self._asked.name}"

    @property
    def fingerprint(self) -> str:
        """The fingerprints of both judges, and the cuts."""
        return fingerprint_of(self._asked.fingerprint, self._cuts, self._first.fingerprint)

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer.

        If the second judge cannot rule on the claims that it is asked about, the answer is a `failed` result: a
        verdict that the first judge is unsure of is never passed off as the cascade's.

        Raises:
            JudgeFailed: one of the judges failed.
        """
        return await self.judge_by(sample, lambda claims: self._asked.verify(sample, claims))

    async def judge_by(self, sample: Sample, verify: Verify) -> Result:
        """Judge one answer, asking about its unsure claims with `verify`; raises as `judge` does."""
        # In a thread: replies to other answers are read at the same time.
        result = await asyncio.to_thread(self._first.judge_now, sample)
        unsure = unsure_claims(result, self._cuts)
        decided = [replace(claim, decided_by=self._first.name) for claim in result.claims]
        result = replace(result, judge=self.name, claims=tuple(decided))
        if not unsure:
            return result
        asked = f"{self._asked.name} was asked about {len(unsure)} of {len(decided)} claims"
        try:
            ruled = await verify([result.claims[number] for number in unsure])
        except JudgeFailed as error:
            raise JudgeFailed(f"{asked}: {error}") from error
        if ruled.state is not State.JUDGED or len(ruled.claims) != len(unsure):
            why = ruled.error or f"{len(ruled.claims)} of {len(unsure)} rulings came back."
            return replace(ruled, state=State.FAILED, judge=self.name, claims=(), error=f"{asked}: {why}")
        for number, claim in zip(unsure, ruled.claims, strict=True):
            decided[number] = _merged(result.claims[number], claim, decided_by=self._asked.name)
        return replace(
            result,
            claims=tuple(decided),
            # The first judge's own score was made of verdicts that have changed. An answer is as faithful as its
            # weakest claim.
            answer_score=min(claim.support_score or 0.0 for claim in decided),
            suggestions=ruled.suggestions,
            usage=ruled.usage,
            warnings=(*result.warnings, *ruled.warnings),
        )

    async def aclose(self) -> None:
        """Close both judges."""
        try:
            await self._first.aclose()
        finally:
            await self._asked.aclose()


def unsure_claims(result: Result, cuts: Cuts) -> list[int]:
    """Return the places, from 0, of the claims in a result of the first judge that are between the cuts."""
    return [number for number, claim in enumerate(result.claims) if cuts.is_between(claim.support_score)]


def fingerprint_of(asked: str, cuts: Cuts, first: str) -> str:
    """Return the fingerprint of a cascade from those of its judges; it begins with the cascade's name."""
    return f"cascade:{asked}/{cuts.label}/{_RULES}/{first}"


def _merged(first: Claim, ruled: Claim, *, decided_by: str) -> Claim:
    """Return the claim as the first judge found it, with the second judge's verdict and reasons."""
    return replace(
        ruled,
        text=first.text,
        spans=first.spans,
        claim_type=first.claim_type if ruled.claim_type is None else ruled.claim_type,
        importance=first.importance if ruled.importance is None else ruled.importance,
        decided_by=decided_by,
    )
