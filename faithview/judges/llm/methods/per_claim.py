"""`per-claim`: list the claims, then verify each in a separate call, all at the same time."""

from collections.abc import Sequence

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.domain.spans import Span
from faithview.judges.llm.asking import Asker, together
from faithview.judges.llm.methods.base import (
    Expected,
    Outcome,
    expected_claims,
    needs_quote,
    nothing_claimed,
    places_of,
    quote_flaws,
    support_score,
)
from faithview.judges.llm.methods.claims import extract
from faithview.judges.llm.prompts import fence_text
from faithview.judges.llm.replies.anchoring import cited_chunks, evidence_from
from faithview.judges.llm.replies.schemas import ExtractedClaim, OneRuling, Support

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
        claims, abstained = await extract(sample, asker)
        if not claims:
            return nothing_claimed(abstained=abstained)
        places = places_of(claims, sample)
        work = [
            _verify(claim, spans, sample, asker, part=number)
            for number, (claim, spans) in enumerate(zip(claims, places, strict=True), start=1)
        ]
        return Outcome(state=State.JUDGED, claims=tuple(await together(work)))

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """One call, and one more a claim."""
        claims = expected_claims(sample)
        return (
            Expected(step="claims_extract", calls=1, completion_tokens=20 + 45 * claims),
            Expected(step="per_claim", calls=claims, completion_tokens=100),
        )


async def _verify(claim: ExtractedClaim, spans: tuple[Span, ...], sample: Sample, asker: Asker, *, part: int) -> Claim:
    def flaws(reply: OneRuling) -> list[str]:
        if not needs_quote(_VERDICTS[reply.label]):
            return []
        return [f"the ruling {flaw}" for flaw in quote_flaws(reply.evidence, sample, f"is {reply.label.value}")]

    data = {"claim": fence_text("claim", claim.text)}
    ruling = await asker.ask("per_claim", OneRuling, flaws=flaws, data=data, part=part)
    verdict = _VERDICTS[ruling.label]
    evidence = evidence_from(ruling.evidence, sample, asker.repairs)
    return Claim(
        text=claim.text,
        verdict=verdict,
        spans=spans,
        confidence=ruling.confidence,
        support_score=support_score(verdict, ruling.confidence),
        explanation=ruling.explanation,
        claim_type=claim.type,
        importance=claim.importance,
        correction=None if verdict is Verdict.SUPPORTED else ruling.correction,
        supporting_chunk_ids=cited_chunks(evidence),
        evidence=evidence,
    )
