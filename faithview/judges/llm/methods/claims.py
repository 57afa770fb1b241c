"""Methods that list an answer's claims: `single`, `claims`, `per-claim`, and `combined`.

`single` lists and verifies in one call. `claims` verifies all of them in a second one, `per-claim` each in a separate
call, all at the same time. `combined` is the weighted mean of `claims`, `nli` and `qa`, which run at the same time.
`verify` is the second half of `claims`, also for claims that another judge has listed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from faithview.domain import scoring
from faithview.domain.claim import Claim, Verdict
from faithview.domain.errors import JudgeUnavailable
from faithview.domain.result import State
from faithview.domain.sample import Json, Sample
from faithview.judges.llm.asking import Asker, together
from faithview.judges.llm.methods.method import (
    Method,
    Outcome,
    check_abstained,
    is_remark,
    make_claim,
    nothing_claimed,
    quote_flaws,
)
from faithview.judges.llm.methods.qa import Qa
from faithview.judges.llm.methods.sentences import NLI
from faithview.judges.llm.prompts import fence_items, fence_text
from faithview.judges.llm.replies.anchoring import anchor_claims
from faithview.judges.llm.replies.reading import Repair
from faithview.judges.llm.replies.schemas import (
    ExtractedClaim,
    Extraction,
    JudgedClaim,
    Problem,
    Ruling,
    SingleReply,
    Verification,
)

# The prompt that rules on a list of claims.
VERIFY = "claims_verify"


class Single(Method):
    """Extract and verify at once."""

    name = "single"
    steps = ("single",)

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer."""
        reply = await asker.ask("single", SingleReply, flaws=lambda reply, is_cut: _list_flaws(reply, sample))
        claims = _without_remarks(reply.claims, asker)
        if not claims:
            return nothing_claimed(abstained=reply.abstained or bool(reply.claims))
        judged = [_ruled(claim, ruling, asker) for claim, ruling in zip(_placed(claims, sample), claims, strict=True)]
        return Outcome(state=State.JUDGED, claims=tuple(judged), suggestions=tuple(reply.suggestions))


class Claims(Method):
    """Extract, then verify."""

    name = "claims"
    steps = ("claims_extract", VERIFY)

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; if it makes no claims, there is no second call."""
        claims, abstained = await _extract(sample, asker)
        if not claims:
            return nothing_claimed(abstained=abstained)
        return await verify(claims, sample, asker, may_be_cut=True)


class PerClaim(Method):
    """Extract, then one call per claim."""

    name = "per-claim"
    steps = ("claims_extract", "per_claim")

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer."""
        claims, abstained = await _extract(sample, asker)
        if not claims:
            return nothing_claimed(abstained=abstained)

        async def verify_one(number: int, claim: Claim) -> Claim:
            data = {"claim": fence_text("claim", claim.text)}
            ruling = await asker.ask(
                "per_claim", Ruling, flaws=lambda ruling, is_cut: _flaws(ruling, sample), data=data, part=number
            )
            return _ruled(claim, ruling, asker)

        judged = await together([verify_one(number, claim) for number, claim in enumerate(claims, start=1)])
        return Outcome(state=State.JUDGED, claims=tuple(judged))


async def _extract(sample: Sample, asker: Asker) -> tuple[list[Claim], bool]:
    """Return the claims of the answer, without verdicts yet, and whether it says only that it cannot tell."""
    reply = await asker.ask("claims_extract", Extraction, flaws=lambda reply, is_cut: _list_flaws(reply, sample))
    claims = _without_remarks(reply.claims, asker)
    return _placed(claims, sample), reply.abstained or len(claims) < len(reply.claims)


async def verify(claims: Sequence[Claim], sample: Sample, asker: Asker, *, may_be_cut: bool = False) -> Outcome:
    """Return the same claims, in their order, with the model's rulings; all of them are asked about in one call.

    With `may_be_cut`, claims that a cut-off reply lacks are left out. Otherwise a missing ruling is an error, for a
    caller who has no other verdict for its claim.

    Raises:
        JudgeFailed: a ruling is missing.
    """
    listed: list[dict[str, Json]] = [{"claim": n, "text": claim.text} for n, claim in enumerate(claims, start=1)]
    reply, rulings = await asker.ask_list(
        VERIFY,
        Verification,
        "claim",
        len(claims),
        flaws=lambda ruling: _flaws(ruling, sample),
        may_be_cut=may_be_cut,
        data={"claims": fence_items("claims", listed)},
    )
    judged = [_ruled(claims[number - 1], ruling, asker) for number, ruling in rulings.items()]
    return Outcome(state=State.JUDGED, claims=tuple(judged), suggestions=tuple(reply.suggestions))


def _without_remarks(stated: Sequence[ExtractedClaim], asker: Asker) -> list[Any]:
    """Return the statements without remarks about the chunks, which are not claims."""
    claims = [claim for claim in stated if not is_remark(claim.text)]
    asker.repairs[Repair.NO_CLAIM] += len(stated) - len(claims)
    return claims


def _placed(stated: Sequence[ExtractedClaim], sample: Sample) -> list[Claim]:
    """Return claims with their places in the answer; their verdicts come later."""
    places = anchor_claims(sample.answer, [claim.quote for claim in stated], [claim.text for claim in stated])
    return [
        Claim(
            text=claim.text,
            verdict=Verdict.NOT_MENTIONED,
            spans=spans,
            claim_type=claim.type,
            importance=claim.importance,
        )
        for claim, spans in zip(stated, places, strict=True)
    ]


def _list_flaws(reply: Extraction | SingleReply, sample: Sample) -> list[str]:
    """Return what is worth another question in a list of claims: words that are not in the answer, no quotes."""
    flaws = check_abstained(reply, reply.claims)
    for number, claim in enumerate(reply.claims, start=1):
        if is_remark(claim.text):
            continue
        if not any(anchor_claims(sample.answer, [claim.quote], [claim.text])):
            flaws.append(f"claim {number} has no `quote` that is in the answer; copy the words that make it")
        if isinstance(claim, JudgedClaim):
            flaws += [f"claim {number} {flaw}" for flaw in _flaws(claim, sample)]
    return flaws


def _flaws(ruling: Ruling, sample: Sample) -> list[str]:
    return quote_flaws(ruling.verdict, ruling.evidence, sample)


def _ruled(claim: Claim, ruling: Ruling, asker: Asker) -> Claim:
    """Return the same claim with a ruling in place of its verdict; a supported one has no problem."""
    problem = Problem() if ruling.verdict is Verdict.SUPPORTED or ruling.problem is None else ruling.problem
    return make_claim(
        claim.text,
        ruling.verdict,
        claim.spans,
        asker,
        quotes=ruling.evidence,
        wrong=problem.wrong,
        confidence=ruling.confidence,
        support_score=support_score(ruling.verdict, ruling.confidence),
        explanation=ruling.explanation,
        hallucination_type=problem.kind,
        severity=problem.severity,
        correction=problem.correction,
        claim_type=claim.claim_type,
        importance=claim.importance,
    )


# With full confidence, *supported* is 1 and every other verdict has its place on the scale below a half.
_SURE = {
    Verdict.SUPPORTED: 1.0,
    Verdict.PARTIALLY_SUPPORTED: 0.4,
    Verdict.NOT_MENTIONED: 0.1,
    Verdict.CONTRADICTED: 0.0,
}


def support_score(verdict: Verdict, confidence: float | None) -> float:
    """Return the probability that a claim is supported, from the verdict and how sure the model is of it.

    With less confidence, the score is closer to a half. A model that does not say how sure it is counts as half sure.
    """
    return 0.5 + (_SURE[verdict] - 0.5) * (0.5 if confidence is None else confidence)


_PARTS: tuple[Method, ...] = (Claims(), NLI, Qa())
WEIGHTS: Mapping[str, float] = {"claims": 0.4, "nli": 0.3, "qa": 0.3}


class Combined(Method):
    """Three methods at once; a part with weight 0 is not asked. The claims shown are those of `claims`."""

    name = "combined"
    main_step = VERIFY

    def __init__(self, weights: Mapping[str, float] = WEIGHTS) -> None:
        self._weights = weights
        self._parts = [part for part in _PARTS if weights[part.name] > 0]
        self.steps = tuple(step for part in self._parts for step in part.steps)

    @property
    def label(self) -> str:
        """The name with the weights."""
        return "combined(" + ",".join(f"{name}={self._weights[name]:g}" for name in WEIGHTS) + ")"

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer.

        An answer in which `claims` finds nothing to check has no score, regardless of the others.
        """
        outcomes: list[Outcome] = await together([part.judge(sample, asker) for part in self._parts])
        main = outcomes[0]
        if main.state is not State.JUDGED:
            return main
        scores = {part.name: _score(outcome) for part, outcome in zip(self._parts, outcomes, strict=True)}
        known = {name: score for name, score in scores.items() if score is not None}
        total = sum(self._weights[name] for name in known)
        combined = sum(self._weights[name] * score for name, score in known.items()) / total
        return replace(main, score=combined, metrics={**known, "combined": combined})


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
