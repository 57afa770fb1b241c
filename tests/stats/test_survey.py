"""Weights, totals and variances of drawn units, worked by hand."""

from collections.abc import Sequence

import numpy as np
import pytest

from faithview.stats.spot_check import SpotCheckSample, Stratum, Survey


def survey_of(
    people: Sequence[float],
    *,
    pi: Sequence[float],
    weight: Sequence[float] | None = None,
    stratum: Sequence[int] | None = None,
    units: Sequence[int] = (100,),
    judge: Sequence[float] | None = None,
    is_claim: Sequence[bool] | None = None,
    labelled_share: Sequence[float] | None = None,
) -> Survey:
    """Units that were drawn; those of a stratum weigh as much as all of its units together."""
    number = len(people)
    strata = tuple(
        Stratum(name=str(at), units=count, weight=count / sum(units), judged=0.5) for at, count in enumerate(units)
    )
    return Survey(
        SpotCheckSample(
            strata=strata,
            stratum=np.array(stratum or [0] * number, dtype=np.int64),
            pi=np.array(pi),
            weight=np.array(weight or [1 / sum(units)] * number),
            judge=np.array(judge or [1.0] * number),
            people=np.array(people),
            is_claim=None if is_claim is None else np.array(is_claim),
            labelled_share=None if labelled_share is None else np.array(labelled_share),
        )
    )


def test_unequal_chances_worked_by_hand() -> None:
    # Chances 0.1 and 0.2 twice each: 10 and 5 units behind each label, of 30, so weights 1/3 and 1/6.
    survey = survey_of([1.0, 0.0, 0.5, 1.0], pi=[0.1, 0.1, 0.2, 0.2])
    weights, out = np.array([1 / 3, 1 / 3, 1 / 6, 1 / 6]), np.array([0.9, 0.9, 0.8, 0.8])
    assert survey.mean(np.arange(4.0)) == pytest.approx(weights @ np.arange(4.0))
    spread = out * weights
    factor = out / (1 - spread / spread.sum())
    assert survey.unit_variance == pytest.approx(factor @ weights**2)
    assert survey.disagreement_variance == pytest.approx(out @ weights**2 / 4)
    # Residuals from the mean 7/12, and from their own mean, weighted by the chance of being left out.
    z = weights * (np.array([1.0, 0.0, 0.5, 1.0]) - 7 / 12)
    z -= out @ z / out.sum()
    assert survey.covariance(survey.people, survey.people) == pytest.approx(factor @ z**2)
    terms = factor * z**2
    assert survey.variance_of_variance(survey.people) == pytest.approx(terms @ terms / terms.sum() ** 2 - 1 / 4)
    # Kish's effective number of the four, less one.
    each = factor * weights**2
    assert survey.degrees == pytest.approx(each.sum() ** 2 / (each @ each) - 1)


def test_plain_draws_in_two_strata_have_as_many_degrees_of_freedom_as_satterthwaite_gives_them() -> None:
    # Five of 50 and three of 50: variances 0.25 * 0.9 / 5 and 0.25 * 0.94 / 3 for a spread of 1.
    survey = survey_of(
        [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0],
        pi=[0.1] * 5 + [0.06] * 3,
        stratum=[0] * 5 + [1] * 3,
        units=(50, 50),
    )
    # Divided by n - 1 in the place of n, as s^2 is.
    first, second = 0.25 * 0.9 / 4, 0.25 * 0.94 / 2
    assert survey.unit_variance == pytest.approx(first + second)
    assert survey.degrees == pytest.approx((first + second) ** 2 / (first**2 / 4 + second**2 / 2))


def test_units_that_were_certain_to_be_drawn_add_no_variance() -> None:
    # One of weight 0.5 was certain; four of 98 others stand for the other half.
    survey = survey_of([0.0, 1.0, 1.0, 0.0, 1.0], pi=[1.0] + [4 / 98] * 4, weight=[0.5] + [0.5 / 98] * 4, units=(99,))
    assert survey.by_chance.tolist() == [4]
    assert survey.mean(survey.people) == pytest.approx(0.5 * 0.75)
    assert survey.disagreement_variance == pytest.approx((1 - 4 / 98) * 0.125**2 * 4 / 5)
    # Squared residuals 1 and 9 in 16ths, three times and once: 84 / 12^2 - 1 / 4.
    assert survey.variance_of_variance(survey.people) == pytest.approx(84 / 144 - 1 / 4)
    # A single label that was left to chance is all that its variance could be read from, so there is none.
    alone = survey_of([0.0, 1.0], pi=[1.0, 0.5], weight=[0.5, 0.25], units=(3,))
    assert alone.unit_variance == 0.0
    assert alone.degrees == 1.0


def test_a_unit_labelled_in_part_is_known_in_part() -> None:
    # Two of four units, one of them by half: 0.25 and 0.125 of the run are known, and 3/4 of the second are not.
    survey = survey_of([1.0, 0.5], pi=[0.5, 0.5], units=(4,), labelled_share=[1.0, 0.5])
    assert survey.known == pytest.approx(0.375)
    assert survey.known_score == pytest.approx(0.25 + 0.125 * 0.5)
    assert survey.disagreement_variance == pytest.approx((0.5 + 0.75) * 0.5**2 / 2)


def test_what_is_no_claim_takes_the_mean_of_the_claims() -> None:
    # Four sentences of a hundred, one of them no claim: two of three claims are right, 0.75 of all are claims.
    survey = survey_of([1.0, 1.0, 0.0, 0.0], pi=[0.04] * 4, is_claim=[True, True, True, False])
    assert survey.people == pytest.approx([2 / 3 + 1 / 3 / 0.75, 2 / 3 + 1 / 3 / 0.75, 2 / 3 - 2 / 3 / 0.75, 2 / 3])
    assert survey.mean(survey.people) == pytest.approx(2 / 3)
    # A score of what is no claim does not count, whatever it is.
    other = survey_of([1.0, 1.0, 0.0, 1.0], pi=[0.04] * 4, is_claim=[True, True, True, False])
    assert other.people == pytest.approx(survey.people)
    none = survey_of([1.0, 0.0], pi=[0.04] * 2, is_claim=[False, False])
    assert none.people.tolist() == [1.0, 0.0]


def test_a_run_labelled_wholly_has_no_variance_of_any_kind() -> None:
    survey = survey_of([1.0, 0.0, 1.0], pi=[0.4, 0.4, 0.4], units=(3,))
    assert survey.unit_variance == survey.disagreement_variance == survey.hidden_variance == 0.0
    assert survey.variance_of_variance(survey.people) == 0.0
    assert survey.known == pytest.approx(1.0)
    assert survey.degrees == 1.0
