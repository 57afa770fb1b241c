"""Judging an answer of a preflight: the claims of the run that it is of, on the chunks of the new version.

**The judge's doubts.** A judge is fallible, and of a reworded passage it often finds support a little less likely than
its cut. So a claim that it called supported stays supported if it still finds that at least as likely as not, and the
new text of the chunk that the claim rests on has all numbers that the claim shares with the old one.
"""

import asyncio
import re
from dataclasses import replace

from faithview.domain.answer import AnswerDetail
from faithview.domain.certainty import leans_to_support
from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.judges.capabilities import AsksModel
from faithview.store import results
from faithview.store.database import Database

DOUBTED = "The chunk was edited, and the judge is not sure that it still supports the claim."
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class PreflightJudge:
    """Judges the rows of a preflight with a judge.

    A judge that can verify given claims gets those of the row with the same key in the run `of`; any other one lists
    the claims of the answer, which is the same in both runs.
    """

    def __init__(self, judge: Judge, db: Database, of: str) -> None:
        self._judge = judge
        self._db = db
        self._of = of
        self.name = judge.name
        self.fingerprint = judge.fingerprint

    async def judge(self, sample: Sample) -> Result:
        """Judge the answer; raises as the judge does."""
        older = await asyncio.to_thread(results.get_answer, self._db, self._of, sample.key)
        claims = older.result.claims
        if not sample.has_context and claims:
            return Result(state=State.JUDGED, judge=self.name, claims=tuple(map(_without_chunks, claims)))
        if claims and isinstance(self._judge, AsksModel) and self._judge.verifies_given:
            result = await self._judge.verify_with(sample, claims, self._judge.complete)
        else:
            result = await self._judge.judge(sample)
        claims = tuple(_give_doubt(claim, older, sample, judge=result.judge) for claim in result.claims)
        return replace(result, claims=claims)

    async def aclose(self) -> None:
        """Release the judge."""
        await self._judge.aclose()


def _without_chunks(claim: Claim) -> Claim:
    return Claim(
        text=claim.text,
        verdict=Verdict.NOT_MENTIONED,
        spans=claim.spans,
        claim_type=claim.claim_type,
        importance=claim.importance,
        explanation="The new version has none of the answer's chunks.",
    )


def _give_doubt(claim: Claim, older: AnswerDetail, sample: Sample, *, judge: str) -> Claim:
    """Return the claim, as supported where the judge only doubts it (see above)."""
    if not leans_to_support(claim.verdict, claim.support_score, claim.decided_by or judge):
        return claim
    before = next((one for one in older.result.claims if one.text == claim.text), None)
    now = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    changed = {chunk.chunk_id: chunk.text for chunk in older.sample.chunks if now.get(chunk.chunk_id) != chunk.text}
    if before is None or before.verdict is not Verdict.SUPPORTED or not changed:
        return claim
    rests_on = next((one for one in before.supporting_chunk_ids if one in changed), next(iter(changed)))
    shared = set(_NUMBER.findall(claim.text)) & set(_NUMBER.findall(changed[rests_on]))
    if rests_on not in now or not shared <= set(_NUMBER.findall(now[rests_on])):
        return claim
    return replace(
        claim,
        verdict=Verdict.SUPPORTED,
        confidence=claim.support_score,
        explanation=DOUBTED,
        hallucination_type=None,
        severity=None,
        correction=None,
        mismatches=(),
    )
