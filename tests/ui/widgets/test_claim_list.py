"""A claim that a search found is shown whole, with the searched words marked."""

from dataclasses import replace

from faithview.domain.answer import ClaimHit
from faithview.domain.certainty import UNSTATED, Certainty
from faithview.domain.claim import Verdict
from faithview.ui.widgets.claim_list import ClaimDetail, ClaimState, HitPayload, build_hits


def test_a_hit_shows_claim_verdict_reason_question_and_run() -> None:
    hit = ClaimHit(
        run_id="r",
        run_name="Week 1",
        key="q1",
        claim_number=2,
        claim_id="r-1-2",
        text="Phones ring.",
        verdict=Verdict.CONTRADICTED,
        certainty=Certainty(0.9),
        explanation="The chunk says that they do not.",
        question="Do phones ring?",
    )
    expected: HitPayload = {
        "id": "r-1-2",
        "verdict": "contradicted",
        "words": "contradicted",
        "text": "Phones ring.",
        "explanation": "The chunk says that they do not.",
        "question": "Do phones ring?",
        "run": "Week 1",
        "quotes": [],
        "outcome": "",
        "sides": [],
    }
    assert build_hits([hit]) == [expected]
    assert build_hits([replace(hit, certainty=Certainty(0.5))])[0]["words"] == "probably contradicted"
    (near,) = build_hits([replace(hit, verdict=Verdict.SUPPORTED, certainty=Certainty(0.7, is_near_cut=True))])
    assert (near["verdict"], near["words"]) == ("check_this", "check this")


def test_a_claim_that_broke_is_drawn_before_and_now_each_with_its_own_verdict() -> None:
    hit = ClaimHit(
        run_id="r",
        run_name="Week 1",
        key="q1",
        claim_number=2,
        claim_id="r-1-2",
        text="Opens at 9.",
        verdict=Verdict.CONTRADICTED,
        certainty=UNSTATED,
        explanation="",
        question=None,
    )
    quotes = [("hours", "The office opens at 10.")]
    now = ClaimState(verdict=Verdict.CONTRADICTED, certainty=Certainty(0.5), text="Opens at 9.", quotes=quotes)
    before = ClaimState(verdict=Verdict.SUPPORTED, certainty=Certainty(0.9), text="It opens at 9.")
    (drawn,) = build_hits([hit], {"r-1-2": ClaimDetail(outcome="Broke", before=before, now=now)})
    assert drawn["outcome"] == "Broke"
    assert [(side["when"], side["words"], side["text"]) for side in drawn["sides"]] == [
        ("Before", "supported", "It opens at 9."),
        ("Now", "probably contradicted", "Opens at 9."),
    ]
    assert drawn["sides"][1]["quotes"] == [{"chunk": "hours", "text": "The office opens at 10."}]
    (alone,) = build_hits([hit], {"r-1-2": ClaimDetail(outcome="Broke", before=None, now=now)})
    assert (alone["sides"][0]["verdict"], alone["sides"][0]["words"]) == ("", "not claimed")
