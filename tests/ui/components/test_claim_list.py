"""A claim that a search found is shown whole, with the searched words marked."""

from dataclasses import replace

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.views import ClaimHit
from faithview.ui.components.claim_list import ClaimDetail, ClaimState, build_hits, split_at_matches


def _matches(text: str, searched: str) -> list[str]:
    parts = split_at_matches(text, searched)
    assert "".join(part["text"] for part in parts) == text
    return [part["text"] for part in parts if part["is_match"]]


@pytest.mark.parametrize(
    ("text", "searched", "matches"),
    [
        ("Members invite members.", "members", ["Members", "members"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("Die Straße ist lang.", "STRASSE", ["Straße"]),
        ("Die Straße", "s", ["S", "ß"]),
        ("İstanbul", "stan", ["stan"]),
        ("👩‍👩‍👧 Links", "links", ["Links"]),
        ("50 % (fifty) of it", "% (fifty)", ["% (fifty)"]),
        ("Nothing here", "members", []),
        ("Nothing asked", "", []),
        ("", "x", []),
    ],
    ids=[
        "any-case",
        "touching",
        "folds-to-two",
        "half-of-one",
        "folds-longer",
        "emoji",
        "symbols",
        "no",
        "none",
        "empty",
    ],
)
def test_what_was_searched_for_is_marked_wherever_the_search_finds_it(
    text: str, searched: str, matches: list[str]
) -> None:
    assert _matches(text, searched) == matches


def test_a_hit_shows_claim_verdict_reason_question_and_run() -> None:
    hit = ClaimHit(
        run_id="r",
        run_name="Week 1",
        key="q1",
        claim_number=2,
        claim_id="r-1-2",
        text="Phones ring.",
        verdict=Verdict.CONTRADICTED,
        confidence=0.9,
        explanation="The chunk says that they do not.",
        question="Do phones ring?",
    )
    assert build_hits([hit], "ring") == [
        {
            "id": "r-1-2",
            "verdict": "contradicted",
            "words": "contradicted",
            "parts": [
                {"text": "Phones ", "is_match": False},
                {"text": "ring", "is_match": True},
                {"text": ".", "is_match": False},
            ],
            "explanation": "The chunk says that they do not.",
            "question": "Do phones ring?",
            "run": "Week 1",
            "quotes": [],
            "outcome": "",
            "sides": [],
        }
    ]
    assert build_hits([replace(hit, confidence=0.5)], "")[0]["words"] == "probably contradicted"


def test_a_claim_that_broke_is_drawn_before_and_now_each_with_its_own_verdict() -> None:
    hit = ClaimHit(
        run_id="r",
        run_name="Week 1",
        key="q1",
        claim_number=2,
        claim_id="r-1-2",
        text="Opens at 9.",
        verdict=Verdict.CONTRADICTED,
        confidence=None,
        explanation="",
        question=None,
    )
    quotes = [("hours", "The office opens at 10.")]
    now = ClaimState(verdict=Verdict.CONTRADICTED, confidence=0.5, text="Opens at 9.", quotes=quotes)
    before = ClaimState(verdict=Verdict.SUPPORTED, confidence=0.9, text="It opens at 9.")
    (drawn,) = build_hits([hit], "", {"r-1-2": ClaimDetail(outcome="Broke", before=before, now=now)})
    assert drawn["outcome"] == "Broke"
    assert [(side["when"], side["words"], side["text"]) for side in drawn["sides"]] == [
        ("Before", "supported", "It opens at 9."),
        ("Now", "probably contradicted", "Opens at 9."),
    ]
    assert drawn["sides"][1]["quotes"] == [{"chunk": "hours", "text": "The office opens at 10."}]
    (alone,) = build_hits([hit], "", {"r-1-2": ClaimDetail(outcome="Broke", before=None, now=now)})
    assert (alone["sides"][0]["verdict"], alone["sides"][0]["words"]) == ("", "not claimed")
