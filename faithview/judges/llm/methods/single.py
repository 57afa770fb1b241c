"""`single`: list the claims and verify them in the same call. The cheapest."""

from collections.abc import Sequence

from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.methods.method import (
    Expected,
    Outcome,
    check_no_claims,
    claim_from,
    expected_claims,
    is_remark,
    listed_claims,
    nothing_claimed,
    only_claims,
    place_flaws,
    places_of,
    ruling_flaws,
)
from faithview.judges.llm.replies.listing import Form
from faithview.judges.llm.replies.schemas import JudgedClaim, SingleReply


class Single:
    """Extract and verify at once."""

    name = label = "single"
    steps = ("single",)
    main_step = "single"

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer."""
        form: Form[SingleReply, JudgedClaim] = Form(
            schema=SingleReply,
            name="claims",
            item=JudgedClaim,
            kind="ruling",
            noun="claim",
            count=None,
            number=None,
            flaws=lambda claim: (
                [] if is_remark(claim.text) else [*ruling_flaws(claim, sample), *place_flaws(claim, sample)]
            ),
            missing=check_no_claims,
            listed=listed_claims,
            may_be_cut=True,
        )
        reply, items = await asker.ask_list("single", form)
        stated = list(items.values())
        claims = only_claims(stated, asker.repairs)
        if not claims:
            return nothing_claimed(abstained=reply.abstained or bool(stated))
        places = places_of(claims, sample)
        return Outcome(
            state=State.JUDGED,
            claims=tuple(
                claim_from(claim, claim, sample, spans, asker.repairs)
                for claim, spans in zip(claims, places, strict=True)
            ),
        )

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """One call; a claim with its ruling takes about 115 tokens."""
        return (Expected(step="single", calls=1, completion_tokens=10 + 115 * expected_claims(sample)),)
