"""Every method on replies worked out by hand: what was asked, the score, the places, the chunks."""

import json
from typing import Any

import pytest

from faithview.domain.claim import HallucinationType, Severity, Verdict
from tests.judges.llm.hand_worked import (
    ANSWER,
    CLAIMS,
    CONTRADICTED,
    EXTRACTION,
    SAMPLE,
    SUGGESTIONS,
    SUPPORTED,
    VERIFICATION,
    check_two_claims,
    evidence,
    judge,
    places,
    wrong_words,
)
from tests.judges.llm.judging import VENDORS, judge_against
from tests.judges.llm.server import Request, Say, Server, fenced

both_vendors = pytest.mark.parametrize("vendor", VENDORS)


@both_vendors
def test_claims_extracts_and_then_verifies_all_claims_in_one_call(vendor: str) -> None:
    result, server = judge("claims", vendor, Extraction=EXTRACTION, Verification=VERIFICATION)
    check_two_claims(result)
    assert result.suggestions == tuple(SUGGESTIONS[:3])
    price, support = result.claims
    assert wrong_words(price) == [("20 euros", "the plan costs 25 euros a month")]
    assert wrong_words(support) == []
    assert (price.hallucination_type, price.severity) == (HallucinationType.CONTRADICTION, Severity.HIGH)
    assert (price.confidence, price.correction) == (0.8, "It costs 25 euros a month.")
    assert (support.hallucination_type, support.severity, support.correction) == (None, None, None)
    # The quote is exact though the model folded a line; the one that stands nowhere is kept and marked.
    assert evidence(support) == [("kb-9", "The plan includes\nPriority Support.", True), ("kb-7", "made up", False)]
    assert support.supporting_chunk_ids == ("kb-9", "kb-7")
    _check_request_of_claims(server)


def _check_request_of_claims(server: Server) -> None:
    extract, verify = server.calls
    assert fenced(extract.user, "answer") == ANSWER
    assert fenced(extract.user, "question") == "What does the plan cost?"
    assert "Prices:" not in extract.user  # the chunks are not paid for where they are not needed
    assert fenced(verify.user, "chunk 1") == SAMPLE.chunks[0].text
    assert fenced(verify.user, "chunk 2") == SAMPLE.chunks[1].text
    assert [json.loads(line) for line in fenced(verify.user, "claims").split("\n")] == [
        {"claim": 1, "text": "The plan costs 20 euros a month."},
        {"claim": 2, "text": "The plan includes priority support."},
    ]
    assert "kb-7" not in verify.user
    assert "`contradicted`: a chunk on the same matter says otherwise" in verify.system
    assert verify.user.index("<<<begin chunk 1") < verify.user.index("<<<begin answer")


@both_vendors
def test_single_does_both_in_one_call(vendor: str) -> None:
    claims = [{**CLAIMS[0], **CONTRADICTED}, {**CLAIMS[1], **SUPPORTED}]
    reply = {"claims": claims, "abstained": False, "suggestions": SUGGESTIONS}
    result, server = judge("single", vendor, SingleReply=reply)
    check_two_claims(result)
    assert result.suggestions == tuple(SUGGESTIONS[:3])
    assert len(server.calls) == result.usage.llm_calls == 1


def test_per_claim_verifies_each_claim_in_a_call_of_its_own() -> None:
    def script(request: Request) -> Say:
        if request.schema == "Extraction":
            return Say(text=json.dumps(EXTRACTION))
        is_price = "20 euros" in fenced(request.user, "claim")
        reply = {
            "verdict": "contradicted" if is_price else "supported",
            "confidence": 1,
            "explanation": "Because.",
            "evidence": [{"chunk": 1, "quote": "the plan costs 25 euros a month"}]
            if is_price
            else [{"chunk": 2, "quote": "Priority Support"}],
            "problem": CONTRADICTED["problem"] if is_price else None,
        }
        return Say(text=json.dumps(reply))

    (result,), server = judge_against(script, [SAMPLE], method="per-claim")
    check_two_claims(result)
    assert result.claims[0].correction == "It costs 25 euros a month."
    assert wrong_words(result.claims[0]) == [("20 euros", "the plan costs 25 euros a month")]
    assert len(server.calls) == result.usage.llm_calls == 3
    prefixes = {call.user[: call.user.index("<<<begin question")] for call in server.calls[1:]}
    assert len(prefixes) == 1  # instructions and chunks are the same to the letter, so that they can be cached
    assert fenced(next(iter(prefixes)), "chunk 2") == SAMPLE.chunks[1].text


@pytest.mark.parametrize(
    ("label", "verdict"),
    [
        ("SUPPORTED", Verdict.SUPPORTED),
        ("PARTIAL", Verdict.PARTIALLY_SUPPORTED),
        ("UNSUPPORTED", Verdict.NOT_MENTIONED),
        ("CONTRADICTED", Verdict.CONTRADICTED),
    ],
)
def test_per_claim_labels_become_verdicts(label: str, verdict: Verdict) -> None:
    evidence = [] if label == "UNSUPPORTED" else [{"chunk": 1, "quote": "Prices"}]
    reply = {"label": label, "confidence": 1, "explanation": "", "evidence": evidence, "correction": None}
    extraction = {"claims": CLAIMS[:1], "abstained": False}
    result, _ = judge("per-claim", Extraction=extraction, Ruling=reply)
    assert result.verdicts == (verdict,)


def _nli(*labels: str) -> dict[str, Any]:
    sentences = [
        {
            "sentence": number,
            "label": label,
            "explanation": f"It is {label}.",
            "evidence": [{"chunk": 1, "quote": "25 euros"}],
            "wrong": "" if label == "entailment" else "20 euros" if number != 2 else "priority",
        }
        for number, label in enumerate(labels, start=1)
    ]
    return {"sentences": sentences, "abstained": False}


@both_vendors
def test_nli_scores_the_mean_over_the_sentences_and_makes_them_claims(vendor: str) -> None:
    result, server = judge("nli", vendor, NliReply=_nli("entailment", "neutral", "contradiction"))
    assert result.verdicts == (Verdict.SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED)
    assert result.metrics == {"nli": 0.5}  # (1 + 0.5 + 0) / 3
    assert result.answer_score == 0.5
    assert [places(claim) for claim in result.claims] == [[claim.text] for claim in result.claims]
    assert [claim.spans[0].start for claim in result.claims] == [0, 33, 65]
    assert result.claims[2].supporting_chunk_ids == ("kb-7",)
    assert result.claims[1].supporting_chunk_ids == ()  # what is quoted is the nearest passage
    assert [item.quote for item in result.claims[1].evidence] == ["25 euros"]
    assert [wrong_words(claim) for claim in result.claims] == [[], [("priority", "")], [("20 euros", "25 euros")]]
    (call,) = server.calls
    assert [json.loads(line)["text"] for line in fenced(call.user, "sentences").split("\n")] == [
        "The plan costs 20 euros a month.",
        "It includes “priority support”.",
        "The plan costs 20 euros a month.",
    ]
    assert call.user.count("<<<begin chunk 1 ") == 1  # the context is sent once and not once a sentence


@both_vendors
def test_sentence_marks_the_wrong_words(vendor: str) -> None:
    def ruled(number: int, **changes: Any) -> dict[str, Any]:
        good = {
            "sentence": number,
            "evidence": [{"chunk": 1, "quote": "Prices"}],
            "is_claim": True,
            "explanation": "",
            "wrong": "",
            "contradicted": False,
            "score": 1,
        }
        return {**good, **changes}

    bad = {"wrong": "20 euros"}
    reply = {
        "sentences": [
            ruled(1, **bad, score=0.5, contradicted=True),
            ruled(2),
            ruled(3, **bad, score=0.3),
        ],
        "abstained": False,
    }
    result, _ = judge("sentence", vendor, SentenceReply=reply)
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED)
    assert [places(claim) for claim in result.claims] == [[claim.text] for claim in result.claims]
    assert [wrong_words(claim) for claim in result.claims] == [[("20 euros", "Prices")], [], [("20 euros", "")]]
    assert [claim.spans[0].start for claim in result.claims] == [0, 33, 65]
    assert [claim.support_score for claim in result.claims] == [0.5, 1, 0.3]
    assert result.metrics == {"sentence": pytest.approx(0.6)}


QUESTIONS = {
    "questions": [
        {"question": "What does it cost?", "answer": "20 euros", "quote": "20 euros a month"},
        {"question": "What support?", "answer": "Priority support", "quote": "“priority support”"},
        {"question": "Who sells it?", "answer": "A shop", "quote": "not there"},
        {"question": "How often is it paid?", "answer": "Monthly", "quote": "a month"},
    ],
    "abstained": False,
}
ANSWERS = {
    "answers": [
        {"question": 1, "answer": "25 euros", "evidence": [{"chunk": 1, "quote": "25 euros"}]},
        {"question": 2, "answer": "Priority support", "evidence": [{"chunk": 2, "quote": "Priority Support"}]},
        {"question": 3, "answer": "Not found.", "evidence": []},
        {"question": 4, "answer": "Each month", "evidence": [{"chunk": 1, "quote": "a month"}]},
    ]
}
COMPARISONS = {
    "comparisons": [
        {"question": 1, "sameness": "different", "explanation": "Other price."},
        {"question": 2, "sameness": "same", "explanation": "Equal."},
        {"question": 3, "sameness": "partly", "explanation": "Nearly."},
    ]
}


@both_vendors
def test_qa_compares_the_answers_to_the_questions_and_counts_not_found_as_nothing(vendor: str) -> None:
    result, server = judge("qa", vendor, Questions=QUESTIONS, ContextAnswers=ANSWERS, Comparisons=COMPARISONS)
    assert result.verdicts == (
        Verdict.CONTRADICTED,
        Verdict.SUPPORTED,
        Verdict.NOT_MENTIONED,
        Verdict.PARTIALLY_SUPPORTED,
    )
    assert result.metrics == {"qa": 0.375}  # (0 + 1 + 0 + 0.5) / 4
    assert [places(claim) for claim in result.claims] == [
        ["20 euros a month"],
        ["“priority support”"],
        [],
        ["a month"],
    ]
    assert result.claims[0].text == "What does it cost? 20 euros"
    assert result.claims[0].explanation == "From the answer: 20 euros\nFrom the context: 25 euros\nOther price."
    assert result.claims[0].correction == "25 euros"
    assert result.claims[1].supporting_chunk_ids == ("kb-9",)
    asked, answered, compared = server.calls
    assert "25 euros" not in asked.user
    assert "20 euros" not in answered.user  # who answers from the chunks must not know what the answer says
    assert "Prices:" not in compared.user
    # Only three are compared, numbered without a gap.
    assert [json.loads(line)["question"] for line in fenced(compared.user, "comparisons").split("\n")] == [1, 2, 3]


def test_qa_makes_no_third_call_where_nothing_was_found() -> None:
    answers = {"answers": [{"question": n, "answer": "NOT FOUND", "evidence": []} for n in range(1, 5)]}
    result, server = judge("qa", Questions=QUESTIONS, ContextAnswers=answers)
    assert result.metrics == {"qa": 0.0}
    assert len(server.calls) == 2


_COMBINED: dict[str, Any] = {
    "Extraction": EXTRACTION,
    "Verification": VERIFICATION,
    "NliReply": _nli("entailment", "neutral", "entailment"),
    "Questions": QUESTIONS,
    "ContextAnswers": ANSWERS,
    "Comparisons": COMPARISONS,
}


@both_vendors
def test_combined_weighs_three_methods_and_shows_each(vendor: str) -> None:
    result, server = judge("combined", vendor, **_COMBINED)
    check_two_claims(result)
    expected = 0.4 * 0.5 + 0.3 * 2.5 / 3 + 0.3 * 0.375
    assert result.metrics == {
        "claims": 0.5,
        "nli": pytest.approx(2.5 / 3),
        "qa": 0.375,
        "combined": pytest.approx(expected),
    }
    assert result.answer_score == pytest.approx(expected)
    assert len(server.calls) == result.usage.llm_calls == 6


def test_the_weights_of_combined_can_be_set_and_a_weight_of_zero_saves_its_calls() -> None:
    result, server = judge("combined", options={"weights": "claims=1,nli=1,qa=0"}, **_COMBINED)
    assert result.metrics == {
        "claims": 0.5,
        "nli": pytest.approx(2.5 / 3),
        "combined": pytest.approx((0.5 + 2.5 / 3) / 2),
    }
    assert len(server.calls) == 3
