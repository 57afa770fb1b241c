"""Methods that list an answer's claims first.

`claims` verifies all of them in one call, so it makes two calls an answer. `per-claim` verifies each in a separate
call, all at the same time. `combined` is the weighted mean of `claims`, `nli` and `qa`, which run at the same time.
`verify_given` is the second half of `claims`, for claims that another judge has listed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from faithview.domain import scoring
from faithview.domain.claim import Claim
from faithview.domain.errors import JudgeUnavailable
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.domain.spans import Span
from faithview.judges.llm.asking import Asker, together
from faithview.judges.llm.methods.method import (
    Expected,
    Method,
    Outcome,
    check_no_claims,
    claim_from,
    expected_claims,
    listed_claims,
    nothing_claimed,
    only_claims,
    place_flaws,
    places_of,
    ruled,
    ruling_flaws,
)
from faithview.judges.llm.methods.nli import Nli
from faithview.judges.llm.methods.qa import Qa
from faithview.judges.llm.prompts import fence_items, fence_text
from faithview.judges.llm.replies.listing import Form
from faithview.judges.llm.replies.schemas import (
    ClaimRuling,
    ExtractedClaim,
    Extraction,
    OneRuling,
    Verification,
)

# The prompt that rules on a list of claims.
VERIFY = "claims_verify"


class Claims:
    """Extract, then verify."""

    name = label = "claims"
    steps = ("claims_extract", VERIFY)
    main_step = VERIFY

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; if it makes no claims, there is no second call."""
        claims, abstained = await extract(sample, asker)
        if not claims:
            return nothing_claimed(abstained=abstained)
        return Outcome(state=State.JUDGED, claims=await verify(claims, sample, asker))

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """Two calls; a ruling takes about 75 tokens and a claim about 45."""
        claims = expected_claims(sample)
        return (
            Expected(step="claims_extract", calls=1, completion_tokens=10 + 45 * claims),
            expect_verifying(claims),
        )


async def verify(claims: Sequence[ExtractedClaim], sample: Sample, asker: Asker) -> tuple[Claim, ...]:
    """Return the given claims with their verdicts, from one call; those that a cut-off reply lacks are left out."""
    rulings = await _verify_all([claim.text for claim in claims], sample, asker, may_be_cut=True)
    return tuple(
        claim_from(claim, rulings[number], sample, spans, asker.repairs)
        for number, (claim, spans) in enumerate(zip(claims, places_of(claims, sample), strict=True), start=1)
        if number in rulings
    )


async def verify_given(claims: Sequence[Claim], sample: Sample, asker: Asker) -> Outcome:
    """Return the same claims, in their order, with the model's rulings; all of them are asked about in one call.

    A ruling that is still missing after all attempts is an error: the caller has no other verdict for its claim.

    Raises:
        JudgeFailed: a ruling is missing.
    """
    rulings = await _verify_all([claim.text for claim in claims], sample, asker, may_be_cut=False)
    return Outcome(
        state=State.JUDGED,
        claims=tuple(
            ruled(claim, rulings[number], sample, asker.repairs) for number, claim in enumerate(claims, start=1)
        ),
    )


def expect_verifying(claims: float) -> Expected:
    """Return what one call about this many claims takes."""
    return Expected(step=VERIFY, calls=1, completion_tokens=10 + 75 * claims)


async def _verify_all(
    texts: Sequence[str], sample: Sample, asker: Asker, *, may_be_cut: bool
) -> Mapping[int, ClaimRuling]:
    form: Form[Verification, ClaimRuling] = Form(
        schema=Verification,
        name="rulings",
        item=ClaimRuling,
        kind="ruling",
        noun="claim",
        count=len(texts),
        number="claim",
        flaws=lambda ruling: ruling_flaws(ruling, sample),
        may_be_cut=may_be_cut,
    )
    listed = fence_items("claims", [{"claim": number, "text": text} for number, text in enumerate(texts, start=1)])
    _, rulings = await asker.ask_list(VERIFY, form, data={"claims": listed})
    return rulings


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
            Expected(step="claims_extract", calls=1, completion_tokens=10 + 45 * claims),
            Expected(step="per_claim", calls=claims, completion_tokens=75),
        )


async def _verify(claim: ExtractedClaim, spans: tuple[Span, ...], sample: Sample, asker: Asker, *, part: int) -> Claim:
    def flaws(reply: OneRuling) -> list[str]:
        return [f"the ruling {flaw}" for flaw in ruling_flaws(reply, sample)]

    data = {"claim": fence_text("claim", claim.text)}
    ruling = await asker.ask("per_claim", OneRuling, flaws=flaws, data=data, part=part)
    return claim_from(claim, ruling, sample, spans, asker.repairs)


_PARTS: tuple[Method, ...] = (Claims(), Nli(), Qa())
WEIGHTS: Mapping[str, float] = {"claims": 0.4, "nli": 0.3, "qa": 0.3}


@dataclass(frozen=True, slots=True)
class Combined:
    """Three methods at once; a part with weight 0 is not asked. The claims shown are those of `claims`."""

    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))

    name = "combined"
    main_step = VERIFY

    @property
    def label(self) -> str:
        """The name with the weights."""
        return "combined(" + ",".join(f"{name}={self.weights[name]:g}" for name in WEIGHTS) + ")"

    @property
    def steps(self) -> tuple[str, ...]:
        """The prompts of all parts."""
        return tuple(step for part in self._weighted_methods for step in part.steps)

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer.

        An answer in which `claims` finds nothing to check has no score, regardless of the others.
        """
        parts = self._weighted_methods
        outcomes = await together([part.judge(sample, asker) for part in parts])
        main = outcomes[0]
        if main.state is not State.JUDGED:
            return main
        scores = {part.name: _score(outcome) for part, outcome in zip(parts, outcomes, strict=True)}
        known = {name: score for name, score in scores.items() if score is not None}
        total = sum(self.weights[name] for name in known)
        combined = sum(self.weights[name] * score for name, score in known.items()) / total
        return Outcome(
            state=State.JUDGED,
            claims=main.claims,
            score=combined,
            metrics={**known, "combined": combined},
        )

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """All that the parts expect."""
        return tuple(expected for part in self._weighted_methods for expected in part.expect(sample))

    @property
    def _weighted_methods(self) -> list[Method]:
        return [part for part in _PARTS if self.weights[part.name] > 0]


def parse_weights(text: str | None) -> Mapping[str, float]:
    """Return weights from "claims=0.4,nli=0.3,qa=0.3"; the shipped ones if there is no text.

    Raises:
        JudgeUnavailable: a part is unknown or missing, a weight is negative or not a number, or that of `claims` is 0.
    """
    if text is None:
        return dict(WEIGHTS)
    weights = {}
    for item in text.split(","):
        name, _, value = item.partition("=")
        try:
            weights[name.strip()] = float(value)
        except ValueError:
            raise JudgeUnavailable(f"The weight {item!r} cannot be read; write 'claims=0.4,nli=0.3,qa=0.3'.") from None
    if set(weights) != set(WEIGHTS):
        raise JudgeUnavailable(f"The weights {text!r} must name exactly {', '.join(WEIGHTS)}.")
    if not all(0 <= weight < float("inf") for weight in weights.values()) or weights["claims"] <= 0:
        raise JudgeUnavailable(f"The weights {text!r} must not be negative, and that of 'claims' must be above 0.")
    return weights


def _score(outcome: Outcome) -> float | None:
    """Return a part's score; None if it found nothing to check."""
    if outcome.state is not State.JUDGED:
        return None
    return scoring.faithfulness([c.verdict for c in outcome.claims]) if outcome.score is None else outcome.score
