"""An answer, its chunks, and a model's replies about it, with what a person works out from them."""

from typing import Any

from faithview.domain.claim import Claim, ClaimType, Importance, Verdict
from faithview.domain.result import Result, State
from faithview.domain.sample import Chunk, Sample
from tests.judges.llm.judging import judge_against, replies
from tests.judges.llm.server import Server

ANSWER = "The plan costs 20 euros a month. It includes “priority support”. The plan costs 20 euros a month."
SAMPLE = Sample(
    answer=ANSWER,
    question="What does the plan cost?",
    chunks=(
        Chunk(chunk_id="kb-7", text="Prices: the plan costs 25 euros a month."),
        Chunk(chunk_id="kb-9", text="All plans include e-mail support.\nThe plan includes\nPriority Support."),
    ),
)

CLAIMS = [
    {
        "text": "The plan costs 20 euros a month.",
        "quote": "The plan costs 20 euros a month.",
        "type": "factual",
        "importance": "high",
    },
    {
        "text": "The plan includes priority support.",
        "quote": 'It includes "Priority support"',  # straight marks, another case: as models write it
        "type": "factual",
        "importance": "low",
    },
]
EXTRACTION = {"claims": CLAIMS, "abstained": False}
CONTRADICTED = {
    "evidence": [{"chunk": 1, "quote": "the plan costs 25 euros a month"}],
    "explanation": "The plan costs 25 euros.",
    "verdict": "contradicted",
    "confidence": 0.8,
    "problem": {
        "wrong": "20 euros",
        "kind": "contradiction",
        "severity": "high",
        "correction": "It costs 25 euros a month.",
    },
}
SUPPORTED = {
    "evidence": [{"chunk": 2, "quote": "The plan includes Priority Support."}, {"chunk": 1, "quote": "made up"}],
    "explanation": "It says so.",
    "verdict": "supported",
    "confidence": 0.9,
    # Means nothing for a supported claim.
    "problem": {"wrong": "support", "kind": "fabrication", "severity": "low", "correction": "No."},
}
SUGGESTIONS = ["Correct the price.", "Say it once.", "Name the plan.", "A fourth one."]
VERIFICATION = {"rulings": [{"claim": 2, **SUPPORTED}, {"claim": 1, **CONTRADICTED}], "suggestions": SUGGESTIONS[:3]}


def judge(
    method: str, vendor: str = "openai", *, sample: Sample = SAMPLE, options: Any = None, **by_schema: Any
) -> tuple[Result, Server]:
    (result,), server = judge_against(replies(**by_schema), [sample], vendor=vendor, method=method, **(options or {}))
    return result, server


def wrong_words(claim: Claim, sample: Sample = SAMPLE) -> list[tuple[str, str]]:
    """The wrong words and what a chunk says against them."""
    texts = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    return [
        (sample.answer[m.start : m.end], texts[m.chunk_id][m.chunk_start : m.chunk_end] if m.chunk_id else "")
        for m in claim.mismatches
    ]


def places(claim: Claim, sample: Sample = SAMPLE) -> list[str]:
    return [span.of(sample.answer) for span in claim.spans]


def evidence(claim: Claim) -> list[tuple[str, str, bool]]:
    return [(item.chunk_id, item.quote, item.is_verified) for item in claim.evidence]


def check_two_claims(result: Result) -> None:
    assert result.state is State.JUDGED, result.error
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    assert result.faithfulness == 0.5
    price, support = result.claims
    assert (price.claim_type, price.importance) == (ClaimType.FACTUAL, Importance.HIGH)
    assert (support.claim_type, support.importance) == (ClaimType.FACTUAL, Importance.LOW)
    assert [(s.start, s.end, s.occurrence) for s in price.spans] == [(0, 32, 0)]
    assert places(support) == ["It includes “priority support”"]
    assert price.supporting_chunk_ids == ("kb-7",)
    assert evidence(price) == [("kb-7", "the plan costs 25 euros a month", True)]
