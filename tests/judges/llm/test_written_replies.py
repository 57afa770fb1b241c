"""Replies of a careful and of a careless model come to the same verdicts, each quote in its place or marked."""

import json
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from tests.judges.llm.hand_worked import judge
from tests.judges.llm.server import Say
from tests.judges.llm.written_replies import CASES, Case

by_name = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


def _judge(case: Case, text: str) -> tuple[Result, int]:
    replies = [Say(text=text)] * 4
    result, server = judge("single", sample=case.sample, SingleReply=replies)
    return result, len(server.calls)


def _check(case: Case, result: Result, quotes: int, lost: int) -> None:
    assert result.state is (State.JUDGED if case.verdicts else State.ABSTAINED), result.error
    assert result.verdicts == case.verdicts
    evidence = [item for claim in result.claims for item in claim.evidence]
    assert sum(item.is_verified for item in evidence) == quotes, evidence
    assert sum(not item.is_verified for item in evidence) == lost, evidence
    texts = {chunk.chunk_id: chunk.text for chunk in case.sample.chunks}
    for item in evidence:
        assert item.span is None or item.span.of(texts[item.chunk_id]) == item.quote
    assert all(claim.is_anchored for claim in result.claims)


@by_name
def test_a_careful_models_reply_is_taken_as_it_is(case: Case) -> None:
    result, calls = _judge(case, case.careful)
    _check(case, result, case.quotes[0], 0)
    assert (calls, result.warnings) == (1, ())


@by_name
def test_a_careless_models_reply_comes_to_the_same_in_one_call(case: Case) -> None:
    result, calls = _judge(case, case.careless)
    _check(case, result, case.quotes[1], case.lost)
    assert calls == 1
    if case.spans is not None:
        assert len(result.claims[0].spans) == case.spans


_SAMPLE = Sample.of(
    "Hello! The plan costs 20 euros. The passages do not say who sells it. It has a trial of a month.",
    ["The plan costs 20 euros.", "A trial lasts two weeks."],
    question="What does it cost?",
)
_CHEAP = {"chunk": 1, "quote": "costs 20 euros"}
_TRIAL = {"chunk": 2, "quote": "A trial lasts two weeks"}


def _sentence(number: Any, evidence: list[Any], **more: Any) -> dict[str, Any]:
    words = {"evidence": evidence, "explanation": "", "wrong": ""}
    return {"sentence": number, **words, "is_claim": True, "contradicted": False, "score": 1, **more}


@pytest.mark.parametrize("careless", [False, True])
def test_sentences_that_claim_nothing_are_left_out_of_sentence(careless: bool) -> None:
    remark = _sentence("3", []) if careless else _sentence(3, [], is_claim=False, score=0)
    trial = {
        "wrong": ["a month"] if careless else "a month",
        "contradicted": "true" if careless else True,
        "score": 0.5,
    }
    reply = {
        "sentences": [
            _sentence(1, [], is_claim=False, score=0),
            _sentence(2, [_CHEAP]),
            remark,
            _sentence(4, [_TRIAL], **trial),
        ],
        "abstained": careless,
    }
    result, server = judge("sentence", sample=_SAMPLE, SentenceReply=[Say(text=json.dumps(reply))] * 4)
    assert result.verdicts == (Verdict.SUPPORTED, Verdict.CONTRADICTED)
    assert result.metrics == {"sentence": 0.75}
    assert len(server.calls) == 1


def test_scores_between_0_and_1_are_partially_supported_and_nothing_is_quoted_for_what_is_absent() -> None:
    sample = Sample.of("It is red. It is big. It is old.", ["It is red and quite big."], question="What?")
    red = {"chunk": 1, "quote": "It is red"}
    reply = {
        "sentences": [
            _sentence(1, [red], score="1"),
            _sentence(2, [red], score="50%", wrong="big"),
            _sentence(3, [], score=0),
        ],
        "abstained": False,
    }
    result, _ = judge("sentence", sample=sample, SentenceReply=[Say(text=json.dumps(reply))] * 4)
    assert result.verdicts == (Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.NOT_MENTIONED)


@pytest.mark.parametrize("careless", [False, True])
def test_sentences_that_claim_nothing_are_left_out_of_nli(careless: bool) -> None:
    labels = ["no claim", "Entailment", "entailment", "contradicted"] if careless else []
    labels = labels or ["no_claim", "entailment", "no_claim", "contradiction"]
    quotes: list[list[Any]] = [[], [_CHEAP], [], [_TRIAL]]
    items = [
        {"sentence": n, "evidence": quote, "explanation": "", "label": label, "wrong": ""}
        for n, (label, quote) in enumerate(zip(labels, quotes, strict=True), start=1)
    ]
    result, server = judge("nli", sample=_SAMPLE, NliReply={"sentences": items, "abstained": False})
    assert result.verdicts == (Verdict.SUPPORTED, Verdict.CONTRADICTED)
    assert result.metrics == {"nli": 0.5}
    assert len(server.calls) == 1
    assert bool(result.warnings) == careless


def test_qa_asks_nothing_about_what_the_chunks_do_not_say() -> None:
    price = {"question": "What does it cost?", "answer": "20 euros", "quote": "The plan costs 20 euros."}
    seller = {"question": "Who sells it?", "answer": "The passages do not say.", "quote": "do not say who sells it"}
    result, _ = judge(
        "qa",
        sample=_SAMPLE,
        Questions={"questions": [price, seller], "abstained": False},
        ContextAnswers={"answers": [{"question": 1, "evidence": [_CHEAP], "answer": "20 euros"}]},
        Comparisons={"comparisons": [{"question": 1, "explanation": "", "sameness": "SAME"}]},
    )
    assert result.verdicts == (Verdict.SUPPORTED,)


@pytest.mark.parametrize("method", ["claims", "per-claim"])
def test_a_listed_remark_is_not_verified(method: str) -> None:
    stated = [
        {"quote": "The plan costs 20 euros", "text": "The plan costs 20 euros.", "type": "fact"},
        {"quote": "", "text": "The context does not state who sells the plan."},
    ]
    ruling = {"evidence": [_CHEAP], "explanation": "", "confidence": 1, "correction": "null"}
    verified = {"claim": 1, **ruling, "verdict": "supported", "hallucination_type": "none", "severity": "n/a"}
    result, server = judge(
        method,
        sample=_SAMPLE,
        Extraction={"claims": stated, "abstained": False},
        Verification={"rulings": [verified]},
        OneRuling={**ruling, "label": "supported"},
    )
    assert result.verdicts == (Verdict.SUPPORTED,)
    assert len(server.calls) == 2
    assert result.is_whole
