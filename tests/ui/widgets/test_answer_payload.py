"""Texts are cut into parts that join to the text, each with every claim that lies on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.claim import Claim, Evidence, HallucinationType, Mismatch, Severity, Verdict
from faithview.domain.result import State
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Span, find_quote
from faithview.ui.widgets.answer_payload import AnswerPayload, Part, build_payload, cut
from tests.factories import make_claim, make_result


def _span(start: int, end: int) -> Span:
    return Span(start=start, end=end)


def _shape(parts: list[Part]) -> list[tuple[str, list[tuple[int, int]]]]:
    return [(part["text"], [(mark["claim"], mark["lane"]) for mark in part["marks"]]) for part in parts]


def _payload(claim: Claim, *, answer: str = "Up to 50 members.", chunk: str = "Up to 20 members.") -> AnswerPayload:
    sample = Sample(answer=answer, chunks=(Chunk(text=chunk, chunk_id="kb-1"),))
    return build_payload(sample, make_result(claim))


@pytest.mark.parametrize(
    ("spans", "parts"),
    [
        pytest.param([], [("abcdef", [])], id="none"),
        pytest.param([(1, 0, 6)], [("abcdef", [(1, 0)])], id="whole"),
        pytest.param([(1, 1, 3)], [("a", []), ("bc", [(1, 0)]), ("def", [])], id="one"),
        pytest.param([(1, 0, 3), (2, 3, 6)], [("abc", [(1, 0)]), ("def", [(2, 0)])], id="touching"),
        pytest.param(
            [(1, 0, 4), (2, 2, 6)], [("ab", [(1, 0)]), ("cd", [(1, 0), (2, 1)]), ("ef", [(2, 1)])], id="overlapping"
        ),
        pytest.param(
            [(1, 2, 4), (2, 0, 6)], [("ab", [(2, 0)]), ("cd", [(2, 0), (1, 1)]), ("ef", [(2, 0)])], id="nested"
        ),
        pytest.param([(1, 0, 6), (2, 0, 6), (3, 0, 6)], [("abcdef", [(1, 0), (2, 1), (3, 2)])], id="three on one"),
        pytest.param([(1, 0, 4), (1, 2, 6)], [("ab", [(1, 0)]), ("cd", [(1, 0)]), ("ef", [(1, 0)])], id="itself"),
        pytest.param([(1, 4, 9), (2, 6, 7)], [("abcd", []), ("ef", [(1, 0)])], id="beyond the end"),
    ],
)
def test_each_part_has_all_its_claims(
    spans: list[tuple[int, int, int]], parts: list[tuple[str, list[tuple[int, int]]]]
) -> None:
    assert _shape(cut("abcdef", [(number, _span(start, end)) for number, start, end in spans])) == parts


def test_offsets_count_code_points_and_not_utf16_units() -> None:
    text = "👩‍👩‍👧 plan: ✅ 𝕏 yes"
    span = find_quote(text, "✅ 𝕏")
    assert span is not None
    assert _shape(cut(text, [(1, span)])) == [("👩‍👩‍👧 plan: ", []), ("✅ 𝕏", [(1, 0)]), (" yes", [])]


@given(
    st.text(min_size=1, max_size=30),
    st.lists(st.tuples(st.integers(0, 29), st.integers(1, 12)), max_size=6),
)
def test_parts_join_to_the_text_and_cover_exactly_the_spans(text: str, raw: list[tuple[int, int]]) -> None:
    spans = [(number, _span(start, start + length)) for number, (start, length) in enumerate(raw, start=1)]
    parts = cut(text, spans)
    assert "".join(part["text"] for part in parts) == text
    at = 0
    for part in parts:
        assert part["text"]
        for offset in range(at, at + len(part["text"])):
            expected = {number for number, span in spans if span.start <= offset < span.end}
            assert {mark["claim"] for mark in part["marks"]} == expected
        lanes = [mark["lane"] for mark in part["marks"]]
        assert lanes == sorted(set(lanes)), "Two claims on one part never share a lane."
        at += len(part["text"])


def test_a_claim_without_a_place_in_the_answer_is_marked_and_keeps_its_text() -> None:
    claim = _payload(make_claim("Made up.", Verdict.NOT_MENTIONED))["claims"][0]
    assert (claim["is_anchored"], claim["text"], claim["confidence"]) == (False, "Made up.", None)


def test_a_quote_that_is_not_in_the_chunk_is_listed_as_unverified() -> None:
    claim = make_claim(
        "Up to 50 members",
        Verdict.SUPPORTED,
        evidence=(Evidence(chunk_id="kb-1", quote="Up to 50 members", span=None),),
    )
    payload = _payload(claim)
    assert payload["claims"][0]["unverified_chunk_ids"] == ["kb-1"]
    chunk = payload["chunks"][0]
    assert chunk["unverified"] == [{"claim": 1, "text": "Up to 50 members"}]
    assert _shape(chunk["parts"]) == [("Up to 20 members.", [])]
    assert chunk["cited_by"] == [1]


def test_a_judged_claim_keeps_its_verdict_reason_and_evidence() -> None:
    claim = make_claim(
        "Up to 50 members.",
        Verdict.CONTRADICTED,
        "kb-1",
        spans=(_span(0, 17),),
        confidence=0.937,
        explanation="20, not 50",
        hallucination_type=HallucinationType.CONTRADICTION,
        severity=Severity.HIGH,
        correction="Up to 20 members.",
        evidence=(Evidence(chunk_id="kb-1", quote="20", span=_span(6, 8)),),
    )
    payload = _payload(claim)
    assert payload["claims"] == [
        {
            "number": 1,
            "verdict": "contradicted",
            "words": "contradicted",
            "confidence": "0.94",
            "text": "Up to 50 members.",
            "explanation": "20, not 50",
            "hallucination_type": "contradiction",
            "severity": "high",
            "correction": "Up to 20 members.",
            "correction_lead": "Chunk kb-1 says: ",
            "chunk_ids": ["kb-1"],
            "is_anchored": True,
            "unverified_chunk_ids": [],
            "nearest_chunk_id": None,
            "other": None,
            "found_by": None,
            "decided_by": None,
            "is_counted": True,
        }
    ]
    assert _shape(payload["chunks"][0]["parts"]) == [("Up to ", []), ("20", [(1, 0)]), (" members.", [])]


def test_chunks_carry_rank_score_and_metadata() -> None:
    chunk = Chunk(
        text="x", chunk_id="kb-1", rank=3, score=0.01639, metadata={"title": "Ä", "tags": ["a", 1], "old": None}
    )
    payload = build_payload(Sample(answer="a", chunks=(chunk,)), make_result())
    shown = payload["chunks"][0]
    assert (shown["rank"], shown["score"], shown["cited_by"]) == (3, "0.0164", [])
    assert shown["metadata"] == [("title", "Ä"), ("tags", '["a", 1]'), ("old", "null")]


@pytest.mark.parametrize("state", [state for state in State if state is not State.FAILED])
def test_an_answer_without_claims_has_a_sentence_and_no_error(state: State) -> None:
    payload = build_payload(Sample(answer="a"), make_result(state=state))
    assert payload["sentence"]
    assert payload["error"] is None


def test_a_failed_answer_shows_why() -> None:
    payload = build_payload(Sample(answer="a"), make_result(state=State.FAILED, error="no reply"))
    assert payload["sentence"] == "This answer could not be judged and has no score."
    assert payload["error"] == "no reply"


def test_the_words_that_a_verdict_rests_on_are_boxed_on_both_sides_and_nothing_else() -> None:
    claim = make_claim(
        "Up to 50 members.",
        Verdict.CONTRADICTED,
        spans=(_span(0, 17),),
        evidence=(Evidence(chunk_id="kb-1", quote="Up to 20 members.", span=_span(0, 17)),),
        mismatches=(Mismatch(6, 8, "kb-1", 6, 8),),
    )
    payload = _payload(claim)
    for parts, words in ((payload["answer"], "50"), (payload["chunks"][0]["parts"], "20")):
        boxed = [part["text"] for part in parts for mark in part["marks"] if mark.get("boxed")]
        assert boxed == [words]
        assert [part["text"] for part in parts] == ["Up to ", words, " members."]
