"""Reviewers' verdicts come with the judge's beside them, marks with exact places, and a blind claim without verdict."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from faithview.domain.claim import Evidence, Mismatch, Verdict
from faithview.domain.label import Label, LabelKind
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Span, find_quote
from faithview.ui.reader import payload
from tests.factories import make_claim, make_evidence, make_label, make_result

S, C = Verdict.SUPPORTED, Verdict.CONTRADICTED
ANSWER = "👩‍👩‍👧 It is open. It is free. It is big."
CHUNK = Chunk(text="👍 It is open, and it costs 3 €.", chunk_id="kb-1")
SAMPLE = Sample(answer=ANSWER, chunks=(CHUNK, Chunk(text="Other words.", chunk_id="kb-2")))
RESULT = make_result(
    make_claim("It is open.", S, "kb-1", answer=ANSWER, evidence=(make_evidence(CHUNK, "It is open"),)),
    make_claim("It is free.", C, "kb-1", answer=ANSWER),
)
_AT = datetime(2026, 3, 1, tzinfo=UTC)


def _label(verdict: Verdict | None, claim: int, number: int, *, by: str = "ann", **fields: object) -> Label:
    return make_label(verdict, claim, by=by, label_id=number, at=_AT + timedelta(minutes=number), **fields)


def test_reviewers_verdict_is_drawn_with_the_judges_beside_it_where_they_differ() -> None:
    drawn = payload.answer(SAMPLE, RESULT, labels=[_label(C, 1, 1), _label(C, 2, 2)])["claims"]
    assert [(claim["verdict"], claim["other"]) for claim in drawn] == [
        ("contradicted", ["judge", "supported", "supported"]),
        ("contradicted", None),
    ]


def test_a_tie_leaves_the_judges_verdict_and_says_that_reviewers_disagree() -> None:
    drawn = payload.answer(SAMPLE, RESULT, labels=[_label(C, 1, 1), _label(S, 1, 2, by="bob")])["claims"][0]
    assert (drawn["verdict"], drawn["other"]) == ("supported", ["reviewers", "", "disagree"])


def test_what_is_not_a_claim_is_listed_and_not_counted() -> None:
    drawn = payload.answer(SAMPLE, RESULT, labels=[_label(None, 1, 1)])["claims"][0]
    assert (drawn["verdict"], drawn["counted"]) == ("not_a_claim", False)


def test_a_missed_claim_follows_the_judges_and_only_its_finder_can_take_it_back() -> None:
    found = make_label(
        C,
        None,
        by="ann",
        label_id=7,
        kind=LabelKind.MISSED_CLAIM,
        corrected_text="The office is big.",
        span=find_quote(ANSWER, "It is big."),
    )
    for reviewer, can_undo in (("ann", True), ("bob", False)):
        drawn = payload.answer(SAMPLE, RESULT, labels=[found], reviewer=reviewer)["claims"][2]
        assert [drawn[name] for name in ("text", "verdict", "by", "can_undo", "can_label")] == [
            "The office is big.",
            "contradicted",
            "found by ann",
            can_undo,
            False,
        ]
        assert ANSWER[slice(*drawn["spans"][0])] == "It is big."


def test_only_who_may_label_gets_buttons_with_the_own_label_pressed() -> None:
    labels = [_label(C, 1, 1), _label(S, 1, 2, by="bob"), _label(C, 2, 3, is_blind=True)]
    assert not any(claim["can_label"] for claim in payload.answer(SAMPLE, RESULT, labels=labels)["claims"])
    first, second = payload.answer(SAMPLE, RESULT, labels=labels, reviewer="ann")["claims"]
    assert (first["label"], first["can_undo"]) == ("contradicted", True)
    assert (second["label"], second["can_undo"]) == ("contradicted", False)  # a blind label stays


def test_offsets_count_code_points_of_the_texts_as_they_are() -> None:
    mismatch = Mismatch(
        start=ANSWER.index("free"), end=ANSWER.index("free") + 4, chunk_id="kb-1", chunk_start=27, chunk_end=30
    )
    result = replace(RESULT, claims=(RESULT.claims[0], replace(RESULT.claims[1], mismatches=(mismatch,))))
    drawn = payload.answer(SAMPLE, result)
    assert [ANSWER[slice(*span)] for claim in drawn["claims"] for span in claim["spans"]] == [
        "It is open.",
        "It is free.",
    ]
    assert [ANSWER[slice(*box)] for box in drawn["claims"][1]["boxes"]] == ["free"]
    marks = {(mark["claim"], mark["kind"]): CHUNK.text[slice(*mark["span"])] for mark in drawn["chunks"][0]["marks"]}
    assert marks == {(1, ""): "It is open", (2, "boxed"): CHUNK.text[27:30]}
    assert [chunk["cited"] for chunk in drawn["chunks"]] == [[1, 2], []]


def test_a_quote_that_is_not_in_its_chunk_is_drawn_as_such() -> None:
    claim = make_claim(
        "It is open.", S, "kb-1", answer=ANSWER, evidence=(Evidence(chunk_id="kb-1", quote="No!", span=None),)
    )
    drawn = payload.answer(SAMPLE, make_result(claim))
    assert drawn["claims"][0]["warnings"] == ["quote not found in kb-1"]
    assert drawn["chunks"][0]["unverified"] == [[1, "No!"]]


def test_nothing_of_the_judge_is_sent_while_it_is_hidden() -> None:
    claim = replace(RESULT.claims[1], explanation="The chunk says 3 €.", correction="It costs 3 €.", confidence=0.97)
    drawn = payload.blind_claim(
        SAMPLE, claim.text, [(span.start, span.end) for span in claim.spans], label=None, can_label=True
    )
    sent = json.dumps(drawn, ensure_ascii=False)
    for word in ("contradicted", "The chunk says", "It costs 3 €.", "0.97", "cited by", "boxed"):
        assert word not in sent
    assert drawn["claims"][0]["spans"] == [[claim.spans[0].start, claim.spans[0].end]]
    assert Span(start=drawn["claims"][0]["spans"][0][0], end=drawn["claims"][0]["spans"][0][1]).of(ANSWER) == claim.text
