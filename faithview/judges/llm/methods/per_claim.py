"""`per-claim`: list the claims, then verify each in a call of its own, all at the same time."""

from collections.abc import Sequence

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker, together
from faithview.judges.llm.fences import fence_text
from faithview.judges.llm.methods.base import Expected, Outcome, cited, expected_claims, nothing_claimed, support_score
from faithview.judges.llm.methods.claims import extract
from faithview.judges.llm.parsing import anchor, check_chunks, evidence_from
from faithview.judges.llm.schemas import ExtractedClaim, OneRuling, Support

_VERDICTS = {
    Support.SUPPORTED: Verdict.SUPPORTED,
    Support.PARTIAL: Verdict.PARTIALLY_SUPPORTED,
    Support.UNSUPPORTED: Verdict.NOT_MENTIONED,
    Support.CONTRADICTED: Verdict.CONTRADICTED,
}


class PerClaim:
    """Extract, then one call a claim."""

    name = label = "per-claim"
    steps = ("claims_extract", "per_claim")
    main_step = "per_claim"

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer."""
        extraction = await extract(asker)
        if not extraction.claims:
            return nothing_claimed(abstained=extraction.abstained)
        work = [_verify(claim, sample, asker, part=n) for n, claim in enumerate(extraction.claims, start=1)]
        return Outcome(state=State.JUDGED, claims=tuple(await together(work)))

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """One call, and one more a claim."""
        claims = expected_claims(sample)
        return (
            Expected(step="claims_extract", calls=1, completion_tokens=20 + 45 * claims),
            Expected(step="per_claim", calls=claims, completion_tokens=100),
        )


async def _verify(claim: ExtractedClaim, sample: Sample, asker: Asker, *, part: int) -> Claim:
    def check(reply: OneRuling) -> list[str]:
        problems = check_chunks("the ruling", [q.chunk for q in reply.evidence], sample)
        if reply.label is not Support.UNSUPPORTED and not reply.evidence:
            problems.append(f"the label is {reply.label.value}, but no chunk is quoted")
        return problems

    data = {"claim": fence_text("claim", claim.text)}
    ruling = await asker.ask("per_claim", OneRuling, check=check, data=data, part=part)
    verdict = _VERDICTS[ruling.label]
    span = anchor(sample.answer, claim.quote, occurrence=claim.occurrence)
    return Claim(
        text=claim.text,
        verdict=verdict,
        spans=() if span is None else (span,),
        confidence=ruling.confidence,
        support_score=support_score(verdict, ruling.confidence),
        explanation=ruling.explanation,
        claim_type=claim.type,
        importance=claim.importance,
        correction=None if verdict is Verdict.SUPPORTED else ruling.correction,
        supporting_chunk_ids=cited(ruling.evidence, sample),
        evidence=evidence_from(ruling.evidence, sample),
    )
