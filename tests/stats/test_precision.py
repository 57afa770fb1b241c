"""How many labels a precision takes, worked by hand, and checked by labelling so many."""

import numpy as np
import pytest

from faithview.stats.corrected_score import CorrectedScore, SpotCheckSample, Stratum, corrected_score
from faithview.stats.precision import half_width_for, labels_for, labels_needed


def checked(right: int, wrong: int, *, of: int) -> tuple[SpotCheckSample, CorrectedScore]:
    """Labels drawn at random from a run that the judge calls right as a whole."""
    n = right + wrong
    people = np.repeat([1.0, 0.0], [right, wrong])
    check = SpotCheckSample(
        strata=(Stratum(name="all", claims=of, weight=1.0, judged=1.0),),
        stratum=np.zeros(n, dtype=np.int64),
        pi=np.full(n, n / of),
        weight=np.full(n, 1 / of),
        judge=np.ones(n),
        people=people,
        is_claim=np.ones(n, dtype=np.bool_),
    )
    score = corrected_score(check)
    assert isinstance(score, CorrectedScore)
    return check, score


def test_how_many_more_labels_a_width_takes_worked_by_hand() -> None:
    # 36 of 40 are right, with the two more 37 of 42: s^2 = 42/41 * 37/42 * 5/42 = 0.10743.
    # n0 = 1.96^2 s^2 / 0.05^2 = 165.1 of an endless run, 165.1 / (1 + 165.1 / 400) = 116.9 of 400; 40 are there.
    check, score = checked(36, 4, of=400)
    assert labels_needed(check, score, half_width=0.05) == 77
    assert labels_needed(check, score, half_width=1e-6) == 360
    assert labels_needed(check, score, half_width=0.2) == 0


def test_how_many_labels_a_width_takes_before_any_is_given_worked_by_hand() -> None:
    # The judge supports 90 of 100, with the two more 91 of 102: s^2 = 91/102 * 11/102 = 0.09621.
    # n0 = 1.96^2 s^2 / 0.05^2 = 147.8, and 147.8 / (1 + 147.8 / 100) = 59.7 of 100.
    judge = np.repeat([1.0, 0.0], [90, 10])
    assert labels_for(np.ones(100), judge, half_width=0.05) == 60
    assert half_width_for(np.ones(100), judge, 60) == pytest.approx(0.05, abs=0.001)
    assert half_width_for(np.ones(100), judge, 100) == 0
    with pytest.raises(ValueError, match="half-width"):
        labels_for(np.ones(100), judge, half_width=0.5)


def test_so_many_labels_give_about_that_width() -> None:
    check, score = checked(72, 8, of=1_000)
    more = labels_needed(check, score, half_width=0.04)
    n = 80 + more
    wrong = round(n / 10)
    _, later = checked(n - wrong, wrong, of=1_000)
    assert later.sampling_half_width == pytest.approx(0.04, rel=0.05)
