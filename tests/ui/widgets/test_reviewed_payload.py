"""Marks, claims and counts of an answer follow the view's verdict, with the other verdict beside it."""

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


def test_without_people_the_answer_is_as_it_was_judged() -> None:
    assert build_reviewed_payload(SAMPLE, RESULT, ReviewedAnswer(), View.REVIEWED) == build_payload(SAMPLE, RESULT)
