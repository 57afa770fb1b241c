"""Marks, claims and counts of an answer follow the view's verdict, with the other verdict beside it."""

from dataclasses import replace
from datetime import UTC, datetime

from faithview.domain.answer import View
from faithview.domain.claim import Claim, Verdict
from faithview.domain.label import EffectiveVerdict, LabelKind, VerdictSource
from faithview.domain.sample import Sample
from faithview.domain.scoring import ReviewedAnswer
from faithview.domain.spans import find_quote
from faithview.ui.widgets.answer_payload import build_payload, build_reviewed_payload
from tests.factories import make_claim, make_label, make_result

S, C = Verdict.SUPPORTED, Verdict.CONTRADICTED
ANSWER = "It is open. It is free. It is big."
SAMPLE = Sample(answer=ANSWER)


def _claim(quote: str, verdict: Verdict) -> Claim:
    return make_claim(quote, verdict, answer=ANSWER)


RESULT = make_result(_claim("It is open.", S), _claim("It is free.", S))
FOUND = make_label(
    C,
    None,
    by="Ann",
    label_id=7,
    at=datetime(2026, 3, 1, tzinfo=UTC),
    kind=LabelKind.MISSED_CLAIM,
    note="<b>see</b>",
    corrected_text="The office is big.",
    span=find_quote(ANSWER, "It is big."),
)


_SUPPORTED_BY_JUDGE = {"who": "judge", "verdict": "supported", "words": "supported"}


def _effective(verdict: Verdict | None, source: VerdictSource = VerdictSource.REVIEWERS) -> EffectiveVerdict:
    return EffectiveVerdict(verdict=verdict, source=source, reviewers=1)


def _shown(reviewed: ReviewedAnswer, view: View) -> list[tuple[str, object, bool]]:
    payload = build_reviewed_payload(SAMPLE, RESULT, reviewed, view)
    return [(claim["verdict"], claim["other"], claim["is_counted"]) for claim in payload["claims"]]


def test_peoples_verdict_is_shown_with_the_judges_beside_it_and_the_other_way_round() -> None:
    reviewed = ReviewedAnswer(effective=(_effective(C), _effective(S)))
    assert _shown(reviewed, View.REVIEWED) == [
        ("contradicted", _SUPPORTED_BY_JUDGE, True),
        ("supported", None, True),
    ]
    assert _shown(reviewed, View.JUDGE) == [
        ("supported", {"who": "people", "verdict": "contradicted", "words": "contradicted"}, True),
        ("supported", None, True),
    ]


def test_a_claim_labelled_not_a_claim_leaves_the_counts_in_the_reviewed_view_only() -> None:
    reviewed = ReviewedAnswer(effective=(_effective(None), _effective(S, VerdictSource.JUDGE)))
    assert _shown(reviewed, View.REVIEWED)[0] == ("not_a_claim", _SUPPORTED_BY_JUDGE, False)
    assert _shown(reviewed, View.JUDGE)[0] == (
        "supported",
        {"who": "people", "verdict": "not_a_claim", "words": "not a claim"},
        True,
    )


def test_an_unsure_judge_reads_probably_until_people_settle_the_claim() -> None:
    unsure = replace(RESULT, claims=tuple(replace(claim, confidence=0.6) for claim in RESULT.claims))
    reviewed = ReviewedAnswer(effective=(_effective(S), _effective(C)))
    shown = {
        view: build_reviewed_payload(SAMPLE, unsure, reviewed, view)["claims"] for view in (View.JUDGE, View.REVIEWED)
    }
    assert [claim["words"] for claim in shown[View.JUDGE]] == ["probably supported"] * 2
    assert [claim["words"] for claim in shown[View.REVIEWED]] == ["supported", "contradicted"]
    other = shown[View.REVIEWED][1]["other"]
    assert other is not None
    assert other["words"] == "probably supported"


def test_a_claim_near_the_cut_is_to_be_checked_until_people_settle_it() -> None:
    near = replace(RESULT, judge="embedded", claims=tuple(replace(claim, confidence=0.7) for claim in RESULT.claims))
    reviewed = ReviewedAnswer(effective=(_effective(S), _effective(S, VerdictSource.DISAGREEMENT)))
    for view in (View.JUDGE, View.REVIEWED):
        claims = build_reviewed_payload(SAMPLE, near, reviewed, view)["claims"]
        assert [claim["verdict"] for claim in claims] == ["supported", "check_this"]
        assert claims[1]["words"] == "check this"
    alone = build_reviewed_payload(SAMPLE, near, ReviewedAnswer(), View.REVIEWED)["claims"]
    assert [claim["verdict"] for claim in alone] == ["check_this"] * 2


def test_where_reviewers_are_tied_the_judges_verdict_stands_alone() -> None:
    reviewed = ReviewedAnswer(effective=(_effective(S, VerdictSource.DISAGREEMENT),) * 2)
    assert _shown(reviewed, View.REVIEWED) == [("supported", None, True)] * 2


def test_a_claim_that_people_found_follows_the_judges_and_is_marked_in_the_answer() -> None:
    reviewed = ReviewedAnswer(missed=(FOUND,))
    payload = build_reviewed_payload(SAMPLE, RESULT, reviewed, View.REVIEWED)
    found = payload["claims"][2]
    assert (found["number"], found["verdict"], found["found_by"], found["is_counted"]) == (
        3,
        "contradicted",
        "Ann",
        True,
    )
    assert (found["text"], found["explanation"]) == ("The office is big.", "<b>see</b>")
    assert [(part["text"], [mark["claim"] for mark in part["marks"]]) for part in payload["answer"]] == [
        ("It is open.", [1]),
        (" ", []),
        ("It is free.", [2]),
        (" ", []),
        ("It is big.", [3]),
    ]
    assert build_reviewed_payload(SAMPLE, RESULT, reviewed, View.JUDGE)["claims"][2]["is_counted"] is False


def test_an_answer_in_which_the_judge_saw_no_claim_lists_those_that_people_found() -> None:
    result = make_result()
    payload = build_reviewed_payload(SAMPLE, result, ReviewedAnswer(missed=(FOUND,)), View.REVIEWED)
    assert (payload["claims"][0]["number"], payload["sentence"]) == (1, None)


def test_without_people_the_answer_is_as_it_was_judged() -> None:
    assert build_reviewed_payload(SAMPLE, RESULT, ReviewedAnswer(), View.REVIEWED) == build_payload(SAMPLE, RESULT)
