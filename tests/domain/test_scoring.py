"""The numbers, against tables worked out by hand and plain second implementations."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview import Claim, Result, State, Verdict
from faithview.domain import scoring
from faithview.domain.errors import InvalidInput
from faithview.domain.label import Label, LabelKind
from faithview.domain.spans import Span

S, P, N, C = Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED
VERDICTS = st.lists(st.sampled_from(Verdict), max_size=12)


@pytest.mark.parametrize(
    ("verdicts", "faithfulness", "weighted", "is_faithful"),
    [
        ([S], 1.0, 1.0, True),
        ([S, S, S, S, N], 0.8, 0.8, True),
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
def test_scores_stay_in_0_and_1_and_do_not_know_the_order(verdicts: list[Verdict], random: object) -> None:
    shuffled = list(verdicts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
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
    judged = Label(label_id=1, kind=LabelKind.VERDICT, reviewer="ann", at=at, claim_number=1, verdict=C)
    missed = Label(
        label_id=2,
        kind=LabelKind.MISSED_CLAIM,
        reviewer="ann",
        at=at,
        verdict=N,
        corrected_text="It is red.",
        span=Span(start=0, end=10),
    )
    reviewed = scoring.apply_labels([S, S], [judged, missed])
    assert reviewed.verdicts == (C, S, N)
    assert reviewed.labelled == 2
    assert scoring.apply_labels([S, S], []).labelled == 0
