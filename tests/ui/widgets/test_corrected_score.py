"""The corrected score in words: what limits it stands before the number."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from faithview.domain.scoring import Interval
from faithview.domain.spot_check import SpotCheck
from faithview.services.review.corrected_score import Correction
from faithview.stats.corrected_score import CorrectedScore, Estimate, NotEnoughLabels, UnknownLabels
from faithview.stats.precision import LabelsNeeded
from faithview.ui.widgets.corrected_score import basis_text, corrected_text
from faithview.wording import numbers as fmt
from faithview.wording.corrected_score import WHILE_LABELLING

_ESTIMATE = Estimate(score=0.81, interval=Interval(0.74, 0.87), variance=0.001, effective=140.0)
_SCORE = CorrectedScore(
    judge=0.9, labels_only=_ESTIMATE, corrected=_ESTIMATE, tuning=0.4, labelled=100, drawn=100, degrees=99.0
)
_CORRECTION = Correction(
    check=SpotCheck(
        spot_check_id=1,
        name="October",
        created_at=datetime(2026, 10, 1, tzinfo=UTC),
        created_by="ann",
        design={"unit": "claim"},
    ),
    checks=1,
    score=_SCORE,
    labels=100,
    labelled_rows=60,
    left_out=0,
    disagreements=0,
    skipped=0,
    answers=120,
    answers_since=0,
    is_final=True,
    half_width=0.03,
    needed=None,
)
_NUMBER = "**0.81 (0.74–0.87)**"


def test_a_finished_check_is_one_line_with_the_number_first() -> None:
    text = corrected_text(_CORRECTION)
    assert text.startswith(f":small[Faithfulness corrected {_NUMBER}]")
    assert "100 labels of *October*" in text
    assert "\n" not in text


def test_a_corrected_score_with_a_wide_interval_is_no_number_but_says_how_many_labels_it_takes() -> None:
    wide = replace(_ESTIMATE, score=0.61, interval=Interval(0.12, 0.95))
    eight = replace(
        _CORRECTION,
        labels=8,
        score=replace(_SCORE, corrected=wide, labelled=8),
        headline_needed=LabelsNeeded(units=40, labels=40),
    )
    assert not eight.is_headline
    assert corrected_text(eight) == fmt.literal(
        "Too few labels for a corrected score: 8 labels leave it between 0.12 and 0.95; about 40 more give ±0.10."
    )
    assert basis_text(eight) == "too few labels: about 40 more"
    nearly = replace(eight, headline_needed=LabelsNeeded(units=0, labels=0))
    assert "when all claims of the spot-check are labelled" in corrected_text(nearly).replace("\\", "")


@pytest.mark.parametrize(("reach", "is_headline"), [(0.09, True), (0.10, True), (0.11, False)])
def test_the_limit_is_a_half_width_of_a_tenth(reach: float, is_headline: bool) -> None:
    estimate = replace(_ESTIMATE, score=0.5, interval=Interval(0.5 - reach, 0.5 + reach))
    assert replace(_CORRECTION, score=replace(_SCORE, corrected=estimate)).is_headline is is_headline


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            replace(
                _CORRECTION,
                skipped=3,
                disagreements=1,
                score=replace(
                    _SCORE, unknown=UnknownLabels(if_wrong=0.78, if_right=0.82, sampling=Interval(0.75, 0.86))
                ),
            ),
            "3 claims skipped and 1 claim disputed: the score is 0.78 if all of these are wrong and 0.82 if all are "
            "right. The interval covers both.",
        ),
        (
            replace(_CORRECTION, answers_since=1),
            "This is about the 120 answers judged when the spot-check was drawn; 1 answer was judged since.",
        ),
        (
            replace(_CORRECTION, score=replace(_SCORE, labelled=12)),
            "With 12 claims labelled, the interval is cautious: it contains the truth more often than in 95 of 100 "
            "spot-checks.",
        ),
    ],
)
def test_what_limits_the_number_is_said_before_it(changed: Correction, words: str) -> None:
    limits, figures = corrected_text(changed).split("\n\n")
    assert words in limits
    assert _NUMBER in figures


def test_while_people_label_it_says_so_and_without_an_estimate_it_says_why() -> None:
    assert WHILE_LABELLING in corrected_text(replace(_CORRECTION, is_final=False))
    few = NotEnoughLabels(judge=0.9, stratum="all", labelled=1, needed=1, message="Label 1 more claim.")
    assert corrected_text(replace(_CORRECTION, score=few)).startswith("Label 1 more claim")
