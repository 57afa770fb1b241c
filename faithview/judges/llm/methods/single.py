"""`single`: list the claims and verify them in the same call. The cheapest."""

from collections.abc import Sequence

from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.methods.base import (
    Expected,
    Outcome,
    check_ruling,
    claim_from,
    expected_claims,
    nothing_claimed,
)
from faithview.judges.llm.schemas import SingleReply


class Single:
    """Extract and verify at once."""

    name = label = "single"
    steps = ("single",)
    main_step = "single"

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer."""

        def check(reply: SingleReply) -> list[str]:
            return [
                problem
                for number, claim in enumerate(reply.claims, start=1)
                for problem in check_ruling(f"claim {number}", claim, sample)
            ]

        reply = await asker.ask("single", SingleReply, check=check)
        if not reply.claims:
            return nothing_claimed(abstained=reply.abstained)
        return Outcome(
            state=State.JUDGED,
            claims=tuple(claim_from(claim, claim, sample) for claim in reply.claims),
            suggestions=tuple(reply.suggestions),
        )

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """One call; a claim with its ruling takes about 150 tokens."""
        return (Expected(step="single", calls=1, completion_tokens=40 + 150 * expected_claims(sample)),)
