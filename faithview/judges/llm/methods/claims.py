"""`claims`: list the claims, then verify all of them in one call. Two calls an answer; the default."""

from collections.abc import Sequence

from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.methods.base import (
    Expected,
    Outcome,
    check_no_claims,
    claim_from,
    expected_claims,
    listed_claims,
    nothing_claimed,
    only_claims,
    place_flaws,
    places_of,
    ruling_flaws,
)
from faithview.judges.llm.prompts import fence_items
from faithview.judges.llm.replies.listing import Form
from faithview.judges.llm.replies.schemas import ClaimRuling, ExtractedClaim, Extraction, Verification


class Claims:
    """Extract, then verify."""

    name = label = "claims"
    steps = ("claims_extract", "claims_verify")
    main_step = "claims_verify"

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; if it makes no claims, there is no second call."""
        claims, abstained = await extract(sample, asker)
        if not claims:
            return nothing_claimed(abstained=abstained)
        form: Form[Verification, ClaimRuling] = Form(
            schema=Verification,
            name="rulings",
            item=ClaimRuling,
            kind="ruling",
            noun="claim",
            count=len(claims),
            number="claim",
            flaws=lambda ruling: ruling_flaws(ruling, sample),
            may_be_cut=True,
        )
        listed = fence_items("claims", [{"claim": n, "text": c.text} for n, c in enumerate(claims, start=1)])
        reply, rulings = await asker.ask_list("claims_verify", form, data={"claims": listed})
        places = places_of(claims, sample)
        return Outcome(
            state=State.JUDGED,
            claims=tuple(
                claim_from(claim, rulings[number], sample, spans, asker.repairs)
                for number, (claim, spans) in enumerate(zip(claims, places, strict=True), start=1)
                if number in rulings
            ),
            suggestions=tuple(reply.suggestions),
        )

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """Two calls; a ruling takes about 110 tokens and a claim about 45."""
        claims = expected_claims(sample)
        return (
            Expected(step="claims_extract", calls=1, completion_tokens=20 + 45 * claims),
            Expected(step="claims_verify", calls=1, completion_tokens=40 + 110 * claims),
        )


async def extract(sample: Sample, asker: Asker) -> tuple[list[ExtractedClaim], bool]:
    """Return the claims of the answer, and whether it says only that it cannot tell."""
    form: Form[Extraction, ExtractedClaim] = Form(
        schema=Extraction,
        name="claims",
        item=ExtractedClaim,
        kind="entry",
        noun="claim",
        count=None,
        number=None,
        flaws=lambda claim: place_flaws(claim, sample),
        missing=check_no_claims,
        listed=listed_claims,
        may_be_cut=True,
    )
    reply, items = await asker.ask_list("claims_extract", form)
    claims = only_claims(list(items.values()), asker.repairs)
    return claims, reply.abstained or len(claims) < len(items)
