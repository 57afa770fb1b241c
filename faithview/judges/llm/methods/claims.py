"""`claims`: list the claims, then verify all of them in one call. Two calls an answer; the default."""

from collections.abc import Sequence

from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.fences import fence_items
from faithview.judges.llm.methods.base import (
    Expected,
    Outcome,
    check_ruling,
    claim_from,
    expected_claims,
    nothing_claimed,
)
from faithview.judges.llm.parsing import by_number, check_numbers
from faithview.judges.llm.schemas import Extraction, Verification


class Claims:
    """Extract, then verify."""

    name = label = "claims"
    steps = ("claims_extract", "claims_verify")
    main_step = "claims_verify"

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; if it makes no claims, there is no second call."""
        extraction = await extract(asker)
        if not extraction.claims:
            return nothing_claimed(abstained=extraction.abstained)
        claims = extraction.claims

        def check(reply: Verification) -> list[str]:
            problems = check_numbers("ruling for claim", [r.claim for r in reply.rulings], len(claims))
            for ruling in reply.rulings:
                problems += check_ruling(f"the ruling for claim {ruling.claim}", ruling, sample)
            return problems

        listed = fence_items("claims", [{"claim": n, "text": c.text} for n, c in enumerate(claims, start=1)])
        reply = await asker.ask("claims_verify", Verification, check=check, data={"claims": listed})
        rulings = by_number(reply.rulings, lambda ruling: ruling.claim)
        return Outcome(
            state=State.JUDGED,
            claims=tuple(claim_from(c, r, sample) for c, r in zip(claims, rulings, strict=True)),
            suggestions=tuple(reply.suggestions),
        )

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """Two calls; a ruling takes about 110 tokens and a claim about 45."""
        claims = expected_claims(sample)
        return (
            Expected(step="claims_extract", calls=1, completion_tokens=20 + 45 * claims),
            Expected(step="claims_verify", calls=1, completion_tokens=40 + 110 * claims),
        )


async def extract(asker: Asker) -> Extraction:
    """Return the claims of the answer. Any list of claims can be used, an empty one too."""
    return await asker.ask("claims_extract", Extraction, check=lambda _: ())
