"""Several spot-checks of one run as one score, by hand and over simulated pairs of spot-checks."""

import math
from dataclasses import replace

import pytest

from faithview.domain.scoring import Interval
from faithview.stats.combined_scores import pool_scores
from faithview.stats.corrected_score import CorrectedScore, Estimate, UnknownLabels


def _score(value: float, low: float, high: float, *, labelled: int, effective: float = 50.0) -> CorrectedScore:
    estimate = Estimate(score=value, interval=Interval(low, high), variance=0.01, effective=effective)
    return CorrectedScore(
        judge=0.9, labels_only=estimate, corrected=estimate, tuning=0.5, labelled=labelled, drawn=90, degrees=39
    )


def test_estimates_are_weighted_by_their_labels() -> None:
    pooled = pool_scores([_score(0.8, 0.7, 0.9, labelled=30), _score(0.9, 0.8, 0.95, labelled=90)])
    # Weights 1/4 and 3/4; half-widths sqrt((0.025)^2 + (0.075)^2) below, sqrt((0.025)^2 + (0.0375)^2) above.
    assert pooled.corrected.score == pytest.approx(0.875)
    assert pooled.corrected.interval.low == pytest.approx(0.875 - math.hypot(0.025, 0.075))
    assert pooled.corrected.interval.high == pytest.approx(0.875 + math.hypot(0.025, 0.0375))
    assert (pooled.labelled, pooled.drawn, pooled.corrected.effective) == (120, 180, 100)


def test_a_spot_check_of_everything_needs_no_other() -> None:
    whole = _score(0.8, 0.8, 0.8, labelled=90, effective=math.inf)
    assert pool_scores([_score(0.9, 0.8, 0.95, labelled=30), whole]) is whole


def test_without_a_score_there_is_nothing_to_pool() -> None:
    with pytest.raises(ValueError, match="at least one"):
        pool_scores([])


def test_pooled_figures_without_an_interval_worked_by_hand() -> None:
    pooled = pool_scores([_score(0.8, 0.7, 0.9, labelled=30), _score(0.9, 0.8, 0.95, labelled=90)])
    assert pooled.corrected.variance == pytest.approx((1 / 16 + 9 / 16) * 0.01)
    assert (pooled.judge, pooled.tuning, pooled.degrees, pooled.unknown) == (0.9, 0.5, 78, None)


def test_labels_that_are_missing_in_one_spot_check_are_missing_in_the_pooled_score() -> None:
    whole = _score(0.9, 0.8, 0.95, labelled=90)
    unknown = UnknownLabels(if_wrong=0.6, if_right=0.84, sampling=Interval(0.72, 0.86))
    missing = replace(_score(0.8, 0.5, 0.9, labelled=30), unknown=unknown)
    for parts in ([missing, whole], [whole, missing]):
        found = pool_scores(parts).unknown
        assert found is not None
        # Weights 1/4 and 3/4; the whole one stays where it is.
        assert found.if_wrong == pytest.approx(0.6 / 4 + 0.9 * 3 / 4)
        assert found.if_right == pytest.approx(0.84 / 4 + 0.9 * 3 / 4)
        assert found.sampling.low == pytest.approx(0.875 - math.hypot(0.08 / 4, 0.1 * 3 / 4))
        assert found.sampling.high == pytest.approx(0.875 + math.hypot(0.06 / 4, 0.05 * 3 / 4))
