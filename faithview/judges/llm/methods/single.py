"""`single`: list the claims and verify them in the same call. The cheapest."""

from collections.abc import Mapping, Sequence

from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.fences import fence_items
from faithview.judges.llm.methods.base import (
    Expected,
    Outcome,
    check_no_claims,
    check_ruling,
    claim_from,
    expected_claims,
    nothing_claimed,
    only_claims,
)
from faithview.judges.llm.methods.remarks import is_remark
from faithview.judges.llm.replies.anchoring import anchor_claims
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
            problems=lambda claim: [] if is_remark(claim.text) else check_ruling(claim, sample),
            missing=check_no_claims,
            listed=_listed,
        )
        reply, stated = await asker.ask_list("single", form)
        claims = only_claims(stated, asker.repairs)
        if not claims:
            return nothing_claimed(abstained=reply.abstained or bool(stated))
        places = anchor_claims(sample.answer, [claim.quote for claim in claims])
        return Outcome(
            state=State.JUDGED,
            claims=tuple(
                claim_from(claim, claim, sample, spans, asker.repairs)
                for claim, spans in zip(claims, places, strict=True)
            ),
            suggestions=tuple(reply.suggestions),
        )

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """One call; a claim with its ruling takes about 150 tokens."""
        return (Expected(step="single", calls=1, completion_tokens=40 + 150 * expected_claims(sample)),)


def _listed(texts: Mapping[int, str]) -> str:
    """Return the claims to give again, fenced: the model has worded them, perhaps in the words of a hostile answer."""
    items = fence_items("claims", [{"claim": number, "text": text} for number, text in texts.items()])
    return f" These are the claims; keep their `text` as it is.\n\n{items}"
