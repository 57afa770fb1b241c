"""The wrong words of a claim, what is quoted for one that no chunk mentions, and how much of an answer is covered."""

from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, Weakness, read_weakness
from faithview.domain.sample import Sample
from faithview.judges.llm.methods.method import covered_share
from tests.judges.llm.hand_worked import judge, wrong_words

_SAMPLE = Sample.of(
    "Plan Solo keeps backups for 90 days, and plan Team for 90 days too. Both plans are free.",
    ["Plan Solo keeps backups for 30 days. Plan Team keeps them for 90 days.", "Plans are billed monthly."],
)
_SOLO = "Plan Solo keeps backups for 90 days"
_AGAINST = {"chunk": 1, "quote": "Plan Solo keeps backups for 30 days"}
_NEAR = {"chunk": 2, "quote": "Plans are billed monthly"}


def _claim(quote: str, wrong: Any, verdict: str = "contradicted", **more: Any) -> dict[str, Any]:
    return {
        "quote": quote,
        "text": quote,
        "type": "factual",
        "importance": "high",
        "evidence": [_AGAINST],
        "explanation": "",
        "verdict": verdict,
        "confidence": 0.9,
        "problem": {"wrong": wrong, "kind": "conflation", "severity": "high", "correction": None},
        **more,
    }


def _judge(*claims: dict[str, Any]) -> Result:
    result, _ = judge(
        "single", sample=_SAMPLE, SingleReply={"claims": list(claims), "abstained": False, "suggestions": []}
    )
    return result


@pytest.mark.parametrize(
    ("quote", "wrong", "marked"),
    [
        (_SOLO, "90 days", ["90 days"]),
        (_SOLO, " “90 Days”", ["90 days"]),
        (_SOLO, ["Solo", "90 days"], ["Solo", "90 days"]),
        (_SOLO, "Solo … 90 days", ["Solo", "90 days"]),
        ("plan Team for 90 days too", "90 days", ["90 days"]),  # its own, not the first of the answer
        (_SOLO, _SOLO, []),  # all of it: the claim as a whole is marked
        (_SOLO, "30 days", []),  # words of the chunk
        (_SOLO, "free", []),  # words of another claim
        (_SOLO, "", []),
        (_SOLO, None, []),
        (_SOLO, "n/a", []),
    ],
)
def test_wrong_words_are_marked_where_the_claim_has_them(quote: str, wrong: Any, marked: list[str]) -> None:
    (claim,) = _judge(_claim(quote, wrong)).claims
    assert wrong_words(claim, _SAMPLE) == [(words, _AGAINST["quote"]) for words in marked]
    assert [span.of(_SAMPLE.answer) for span in claim.spans] == [quote]
    assert all(claim.spans[0].start <= m.start < m.end <= claim.spans[0].end for m in claim.mismatches)


def test_words_of_a_chunk_stand_against_those_of_a_contradicted_claim_only() -> None:
    contradicted, partly, absent, supported = _judge(
        _claim(_SOLO, "90 days"),
        _claim("Both plans are free", "Both", "partially_supported"),
        _claim("Both plans are free", "free", "not_mentioned"),
        _claim("plan Team for 90 days too", "90 days", "supported"),
    ).claims
    assert [wrong_words(claim, _SAMPLE) for claim in (contradicted, partly, absent, supported)] == [
        [("90 days", _AGAINST["quote"])],
        [("Both", "")],
        [("free", "")],
        [],
    ]


def test_a_contradiction_without_a_quote_from_a_chunk_still_has_its_wrong_words() -> None:
    made_up = {"chunk": 1, "quote": "Plan Solo keeps nothing"}
    result, _ = judge(
        "single",
        sample=_SAMPLE,
        SingleReply=[{"claims": [_claim(_SOLO, "90 days", evidence=[made_up])], "abstained": False}] * 2,
    )
    assert wrong_words(result.claims[0], _SAMPLE) == [("90 days", "")]


def test_what_is_quoted_for_a_claim_that_is_not_mentioned_is_no_ground_of_the_verdict() -> None:
    (claim,) = _judge(_claim("Both plans are free", "free", "not_mentioned", evidence=[_NEAR])).claims
    assert [(item.chunk_id, item.is_verified) for item in claim.evidence] == [("2", True)]
    assert (claim.supporting_chunk_ids, claim.grounds) == ((), ())
    (denied,) = _judge(_claim(_SOLO, "90 days")).claims
    assert denied.grounds == denied.evidence
    assert denied.supporting_chunk_ids == ("1",)


def _uncovered(result: Result) -> bool:
    return any(found is not None and found[0] is Weakness.UNCOVERED for found in map(read_weakness, result.warnings))


def test_an_answer_with_less_than_half_of_its_letters_in_claims_is_told() -> None:
    few = _judge(_claim("Both plans are free", "free"))
    assert _uncovered(few)
    assert few.is_whole  # the judge would say the same again
    assert few.warnings == ("Less than half of the text is in the words of a claim; look for claims that were missed.",)
    enough = _judge(_claim("Both plans are free", "free"), _claim(_SOLO, "90 days"))
    assert not _uncovered(enough)
    assert covered_share(enough.claims, _SAMPLE.answer) == pytest.approx(45 / 68)


def test_coverage_is_not_known_while_a_claim_has_no_place() -> None:
    lost = {"claims": [_claim("free", "free"), _claim("Nothing is kept", "kept")], "abstained": False}
    result, _ = judge("single", sample=_SAMPLE, SingleReply=[lost, lost])
    assert not _uncovered(result)


def test_statements_about_the_chunks_need_no_claim() -> None:
    sample = Sample.of(
        "It is free. The provided passages do not mention how long any of the backups are kept for.", ["It is free."]
    )
    claim = _claim("It is free.", "", "supported", evidence=[{"chunk": 1, "quote": "It is free"}], problem=None)
    result, _ = judge("single", sample=sample, SingleReply={"claims": [claim], "abstained": False, "suggestions": []})
    assert result.verdicts == (Verdict.SUPPORTED,)
    assert result.warnings == ()
