"""The numbers, against tables worked out by hand and plain second implementations."""

from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview import Claim, Result, State, Verdict
from faithview.domain import scoring
from faithview.domain.errors import InvalidInput
from faithview.domain.label import Label, LabelKind
from faithview.domain.spans import Span
from tests.factories import make_label

S, P, N, C = Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED
VERDICTS = st.lists(st.sampled_from(Verdict), max_size=12)


@pytest.mark.parametrize(
    ("verdicts", "faithfulness", "weighted", "is_faithful"),
    [
        ([S], 1.0, 1.0, True),
        ([S, S, S, S, N], 0.8, 0.8, False),
        ([*[S] * 9, N], 0.9, 0.9, False),
        ([*[S] * 9, P], 0.9, 0.95, True),
        ([S, S, S, S, P], 0.8, 0.9, True),
        ([S, S, S, S, C], 0.8, 0.6, False),
        ([S, S, S, N], 0.75, 0.75, False),
        ([P, P], 0.0, 0.5, False),
        ([S, C, C], 1 / 3, 0.0, False),
        ([C], 0.0, 0.0, False),
    ],
)
def test_scores_of_an_answer(verdicts: list[Verdict], faithfulness: float, weighted: float, is_faithful: bool) -> None:
    result = Result(
        state=State.JUDGED,
        judge="x",
        claims=tuple(Claim(text="c", verdict=verdict) for verdict in verdicts),
    )
    assert result.faithfulness == pytest.approx(faithfulness)
    assert result.faithfulness_weighted == pytest.approx(weighted)
    assert result.is_faithful is is_faithful


@given(VERDICTS, st.sampled_from([N, C]), st.floats(0, 1))
def test_one_invented_or_denied_claim_is_enough_at_every_threshold(
    others: list[Verdict], bad: Verdict, threshold: float
) -> None:
    assert scoring.is_faithful([*others, bad], threshold=threshold) is False


@given(st.lists(st.sampled_from([S, P]), min_size=1), st.floats(0, 1))
def test_the_threshold_decides_about_partial_support(verdicts: list[Verdict], threshold: float) -> None:
    share = verdicts.count(S) / len(verdicts)
    assert scoring.is_faithful(verdicts, threshold=threshold) is (share >= threshold)


@pytest.mark.parametrize("state", [State.FAILED, State.PENDING, State.EMPTY_CONTEXT])
def test_what_was_not_judged_has_no_score(state: State) -> None:
    result = Result(state=state, judge="x", error="why")
    assert (result.faithfulness, result.faithfulness_weighted, result.is_faithful) == (None, None, None)


@pytest.mark.parametrize("state", [State.NO_CLAIMS, State.ABSTAINED])
def test_an_answer_without_claims_has_no_number(state: State) -> None:
    result = Result(state=state, judge="x")
    assert (result.faithfulness, result.faithfulness_weighted, result.is_faithful) == (None, None, None)
    assert result.no_claims


@given(VERDICTS, st.randoms())
def test_scores_stay_in_0_and_1_and_do_not_know_the_order(verdicts: list[Verdict], random: Random) -> None:
    shuffled = list(verdicts)
    random.shuffle(shuffled)
    for score in (scoring.faithfulness, scoring.faithfulness_weighted):
        value = score(verdicts)
        assert (value is None) == (not verdicts)
        assert value is None or 0 <= value <= 1
        assert score(shuffled) == value


@pytest.mark.parametrize("threshold", [0.0, 0.5, 1.0])
def test_a_threshold_is_a_share(threshold: float) -> None:
    scoring.check_threshold(threshold)
    for wrong in (-0.5 - threshold, 1.5 + threshold):
        with pytest.raises(InvalidInput, match="between 0 and 1"):
            scoring.check_threshold(wrong)


def test_hallucination_rate_is_claims_not_supported() -> None:
    assert scoring.hallucination_rate({"supported": 6, "partially_supported": 1, "contradicted": 1}) == 0.25
    assert scoring.hallucination_rate({"supported": 0}) is None


def test_a_claim_that_people_added_counts_as_labelled() -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    judged = make_label(C, label_id=1, at=at)
    missed = make_label(
        N, None, label_id=2, at=at, kind=LabelKind.MISSED_CLAIM, corrected_text="It is red.", span=Span(start=0, end=10)
    )
    reviewed = scoring.apply_labels([S, S], [judged, missed])
    assert reviewed.verdicts == (C, S, N)
    assert reviewed.labelled == 2
    assert scoring.apply_labels([S, S], []).labelled == 0


AT = datetime(2026, 3, 1, tzinfo=UTC)


def label(number: int, *, span: Span | None = None, retracts: int | None = None) -> Label:
    kind = LabelKind.MISSED_CLAIM if retracts is None else LabelKind.RETRACTION
    return make_label(N, None, label_id=number, at=AT, kind=kind, span=span, retracts=retracts)


def test_a_score_without_claims_is_faithful_from_the_threshold_on() -> None:
    assert [scoring.is_score_faithful(score) for score in (0.79, 0.8, None)] == [False, True, None]
    assert scoring.is_score_faithful(0.5, threshold=0.5) is True


def test_labels_on_a_part_of_an_answer_do_not_change_its_whole_score() -> None:
    whole, parts = label(1, span=Span(start=0, end=10)), [Span(start=1, end=10), Span(start=0, end=9)]
    anywhere, retraction = label(2), label(3, span=Span(start=3, end=4), retracts=1)
    labels = [whole, anywhere, retraction, *(label(9, span=part) for part in parts)]
    assert scoring.labels_on_whole(labels, length=10) == [whole, anywhere, retraction]


def test_the_state_of_an_answer_follows_the_claims_that_are_left() -> None:
    assert scoring.reviewed_state(State.JUDGED, claims=0) is State.NO_CLAIMS
    assert scoring.reviewed_state(State.NO_CLAIMS, claims=1) is State.JUDGED
    assert scoring.reviewed_state(State.ABSTAINED, claims=1) is State.ABSTAINED


def test_where_nothing_is_supported_every_claim_is_a_hallucination() -> None:
    assert scoring.hallucination_rate({"contradicted": 2}) == 1.0


def test_missed_claims_come_in_the_order_of_their_places_and_those_without_one_first() -> None:
    late, early, anywhere = (label(1, span=Span(start=5, end=9)), label(2, span=Span(start=0, end=4)), label(3))
    assert [missed.label_id for missed in scoring.apply_labels([], [late, early, anywhere]).missed] == [3, 2, 1]
