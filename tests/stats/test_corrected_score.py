"""The corrected score: worked examples, a second implementation, and properties that hold for any spot-check."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from faithview.stats.corrected_score import (
    CorrectedScore,
    NotEnoughLabels,
    SpotCheckSample,
    Stratum,
    about_logged,
    corrected_score,
)
from faithview.stats.intervals import wilson_interval
from tests.stats.made_spot_check import make_spot_check

Floats = NDArray[np.float64]


def simple(judge: Sequence[float], people: dict[int, float]) -> SpotCheckSample:
    """One claim an answer, the labelled ones drawn at random without strata."""
    labels = [people.get(i, math.nan) for i in range(len(judge))]
    pi = [len(people) / len(judge) if i in people else math.nan for i in range(len(judge))]
    return make_spot_check(answer=range(len(judge)), stratum=["all"] * len(judge), pi=pi, judge=judge, people=labels)


def scored(check: SpotCheckSample) -> CorrectedScore:
    score = corrected_score(check)
    assert isinstance(score, CorrectedScore)
    return score


# Forty answers; the judge calls 28 supported. Ten are labelled: people call 6 supported, the judge 6, both 5.
JUDGE = [1.0, 0.0] * 12 + [1.0] * 16
PEOPLE = {0: 1.0, 1: 0.0, 4: 1.0, 6: 1.0, 9: 0.0, 11: 1.0, 15: 0.0, 25: 0.0, 30: 1.0, 39: 1.0}


def test_the_labels_alone_worked_by_hand() -> None:
    found = scored(simple(JUDGE, PEOPLE)).labels_only
    assert found.score == pytest.approx(0.6)
    # 7 of 12 with one more right and one more wrong: s^2 = 12/11 * 7/12 * 5/12; (1 - 10/40) s^2 / 10
    assert found.variance == pytest.approx(0.75 * (12 / 11 * 35 / 144) / 10)
    # worth 7/12 * 5/12 / variance = 12.2 labels; Student's quantile for 9 degrees is 2.262
    expected = wilson_interval(0.6, 110 / 9, z=2.262157)
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high))


def test_labels_and_judge_together_worked_by_hand() -> None:
    score = scored(simple(JUDGE, PEOPLE))
    # lambda = cov / var = (5 - 10 * 0.6 * 0.6) / (6 - 10 * 0.6 * 0.6)
    assert score.tuning == pytest.approx(1.4 / 2.4)
    # 0.6 + lambda (0.7 - 0.6): the judge is higher on the whole run than on what was labelled
    assert score.corrected.score == pytest.approx(0.6 + 0.1 * 1.4 / 2.4)
    # Residuals: 5 x 5/12, 3 x 0, 1, -7/12; and 0.65, -0.35 of the two more. Their squares about the mean 2.8/12: 2.1
    assert score.corrected.variance == pytest.approx(0.75 * (2.1 / 11) / 10)


def test_strata_worked_by_hand() -> None:
    # 8 of 10 answers in A, 2 in B; A's labels: 1, 1, 0, 1 -> 0.75; both of B's: 0, 1 -> 0.5.
    labels = [1, 1, 0, 1, math.nan, math.nan, math.nan, math.nan, 0, 1]
    pi = [0.5] * 4 + [math.nan] * 4 + [1.0] * 2
    check = make_spot_check(answer=range(10), stratum=["A"] * 8 + ["B"] * 2, pi=pi, judge=[1.0] * 10, people=labels)
    found = scored(check).labels_only
    assert found.score == pytest.approx(0.8 * 0.75 + 0.2 * 0.5)
    # B is known; A: 0.8^2 (1 - 4/8) s^2 / 4, s^2 = 6/5 * 4/6 * 2/6 of 1, 1, 0, 1 and the two more
    assert found.variance == pytest.approx(0.64 * 0.5 * (6 / 5 * 8 / 36) / 4)


def test_unequal_chances_weigh_labels_by_their_inverse() -> None:
    check = drawn_from_many([1.0, 0.0, 1.0])
    check = replace(check, pi=np.array([0.2, 0.4, 0.8]))
    # Hajek: (1/0.2 + 1/0.8) / (1/0.2 + 1/0.4 + 1/0.8)
    assert scored(check).labels_only.score == pytest.approx(6.25 / 8.75)


def test_an_answer_counts_once_however_many_claims_it_makes() -> None:
    check = make_spot_check(
        answer=["a", "a", "a", "a", "b", "c"],
        stratum=["all"] * 6,
        pi=[1.0] * 6,
        judge=[1, 1, 1, 0, 0, 1],
        people=[1, 1, 0, 0, 1, 1],
    )
    score = scored(check)
    assert score.judge == pytest.approx((0.75 + 0 + 1) / 3)
    assert score.corrected.score == pytest.approx((0.5 + 1 + 1) / 3)


def test_what_is_no_claim_is_not_part_of_the_population() -> None:
    check = drawn_from_many([1.0, 1.0, 0.0, 0.0])
    assert scored(replace(check, is_claim=np.array([True, True, True, False]))).labels_only.score == pytest.approx(
        2 / 3
    )


def test_a_large_run_gives_nearly_the_tuned_interval_of_ppi_python() -> None:
    # ppi-python 0.2.3 on the same labels: 0.72663 in [0.69269, 0.76057].
    judge: list[float] = []
    people: dict[int, float] = {}
    for label, verdict, number in ((1.0, 1.0, 278), (0.0, 1.0, 41), (1.0, 0.0, 11), (0.0, 0.0, 70)):
        for _ in range(number):
            people[len(judge)] = label
            judge.append(verdict)
    judge += [1.0] * (4015 - 319) + [0.0] * (5000 - 4015 - 81)
    found = scored(simple(judge, people)).corrected
    assert found.score == pytest.approx(0.72663, abs=0.0005)
    # Their target is the source of such runs, which adds the chance in this run's own mean: p (1 - p) / N.
    of_source = (found.half_width**2 + 1.96**2 * 0.7266 * 0.2734 / 5000) ** 0.5
    assert of_source == pytest.approx((0.76057 - 0.69269) / 2, rel=0.03)


def test_a_judge_that_says_the_same_of_everything_is_not_used() -> None:
    score = scored(simple([1.0] * 40, PEOPLE))
    assert score.tuning == 0
    assert score.corrected == score.labels_only


def test_a_judge_that_is_mostly_right_shortens_the_interval() -> None:
    people = {i: JUDGE[i] for i in range(0, 40, 2)} | {i: JUDGE[i] for i in range(1, 10, 2)}
    score = scored(simple(JUDGE, people | {3: 1.0}))
    assert score.tuning > 0.5
    assert score.corrected.half_width < 0.8 * score.labels_only.half_width


@pytest.mark.parametrize("people", [{i: JUDGE[i] for i in range(8)}, dict.fromkeys(range(8), 1.0)])
def test_labels_that_all_agree_do_not_make_the_score_certain(people: dict[int, float]) -> None:
    score = scored(simple(JUDGE, people))
    assert score.labels_only.half_width > 0.05
    assert score.corrected.half_width > 0.05


@pytest.mark.parametrize("labelled", [0, 1])
def test_a_stratum_with_fewer_than_two_labels_gets_a_sentence_and_no_number(labelled: int) -> None:
    labels = [1, 0, 1, math.nan, math.nan] + [1, 0][:labelled] + [math.nan] * (5 - labelled)
    pi = [0.6] * 3 + [math.nan] * 2 + [0.4] * 2 + [math.nan] * 3
    check = make_spot_check(answer=range(10), stratum=["A"] * 5 + ["B"] * 5, pi=pi, judge=[1] * 10, people=labels)
    refusal = corrected_score(check)
    assert isinstance(refusal, NotEnoughLabels)
    assert (refusal.labelled, refusal.needed, refusal.judge) == (labelled, 2 - labelled, 1)
    assert refusal.message.startswith("Stratum 'B' has")


def test_the_answers_that_were_not_judged_widen_the_interval() -> None:
    score = scored(simple(JUDGE, PEOPLE))
    wider = about_logged(score, rate=0.25, answers=40)
    assert wider.corrected.score == score.corrected.score
    assert wider.corrected.half_width > score.corrected.half_width
    assert about_logged(score, rate=1.0, answers=40) == score


runs = st.integers(min_value=0, max_value=2**31).map(np.random.default_rng)


def any_check(rng: np.random.Generator, *, wholly: bool = False) -> SpotCheckSample:
    answers = int(rng.integers(6, 30))
    of = np.repeat(np.arange(answers), rng.integers(1, 6, answers))
    strata = np.where(np.arange(answers) < answers // 2, "A", "B")
    drawn = rng.random(len(of)) < 0.6
    for side in "AB":  # labelled claims in each
        drawn[np.flatnonzero(strata[of] == side)[:3]] = True
    pi = rng.uniform(0.2, 0.9, len(of))
    return make_spot_check(
        answer=of,
        stratum=strata[of],
        pi=np.ones(len(of)) if wholly else np.where(drawn, pi, math.nan),
        judge=rng.random(len(of)) < 0.7,
        people=np.where(drawn | wholly, rng.random(len(of)) < 0.6, math.nan),
    )


@given(rng=runs)
def test_when_everything_is_labelled_the_score_is_exact_and_the_interval_a_point(
    rng: np.random.Generator,
) -> None:
    check = any_check(rng, wholly=True)
    score = scored(check)
    truth = float(check.weight @ check.people)
    for estimate in (score.labels_only, score.corrected):
        assert estimate.score == pytest.approx(truth)
        assert estimate.interval.low == pytest.approx(truth)
        assert estimate.interval.high == pytest.approx(truth)
        assert estimate.variance == 0


@given(rng=runs)
def test_the_interval_holds_the_score_lies_in_0_to_1_and_is_never_wider_than_the_labels_only_one(
    rng: np.random.Generator,
) -> None:
    score = scored(any_check(rng))
    for estimate in (score.labels_only, score.corrected):
        assert 0 <= estimate.interval.low <= estimate.score <= estimate.interval.high <= 1
    assert score.corrected.variance <= score.labels_only.variance
    assert 0 <= score.tuning <= 1


@given(rng=runs)
def test_the_order_of_the_labels_does_not_matter(rng: np.random.Generator) -> None:
    check = any_check(rng)
    order = rng.permutation(len(check.pi))
    columns = ("stratum", "pi", "weight", "judge", "people", "is_claim")
    shuffled = replace(check, **{name: getattr(check, name)[order] for name in columns})
    one, other = scored(check), scored(shuffled)
    assert one.corrected.score == pytest.approx(other.corrected.score)
    assert one.corrected.interval.low == pytest.approx(other.corrected.interval.low)
    assert one.labels_only.interval.high == pytest.approx(other.labels_only.interval.high)


@given(rng=runs)
def test_scoring_what_is_unsupported_instead_mirrors_everything(rng: np.random.Generator) -> None:
    check = any_check(rng)
    strata = [replace(s, judged=s.weight - s.judged) for s in check.strata]
    turned = {name: 1 - getattr(check, name) for name in ("judge", "people")}
    mirrored = replace(check, strata=tuple(strata), **turned)
    one, other = scored(check), scored(mirrored)
    assert one.labels_only.score == pytest.approx(1 - other.labels_only.score)
    assert one.labels_only.interval.low == pytest.approx(1 - other.labels_only.interval.high)
    assert one.corrected.interval.high == pytest.approx(1 - other.corrected.interval.low, abs=1e-6)


def drawn_from_many(people: Sequence[float]) -> SpotCheckSample:
    """So many answers of a run of a million, drawn at random; the judge says that everything is right."""
    run, number = 1_000_000, len(people)
    given = np.asarray(people, dtype=np.float64)
    return SpotCheckSample(
        strata=(Stratum(name="all", claims=run, weight=1.0, judged=1.0),),
        stratum=np.zeros(number, dtype=np.int64),
        pi=np.full(number, number / run),
        weight=np.full(number, 1 / run),
        judge=np.ones(number),
        people=given,
        is_claim=np.ones(number, dtype=np.bool_),
    )


def test_claims_that_were_passed_over_widen_the_interval_by_all_that_they_could_be() -> None:
    # Seven of nine are right and one is unknown: 7 of 10 if it is wrong, 8 of 10 if it is right.
    score = scored(drawn_from_many([*[1.0] * 7, 0.0, 0.0, math.nan]))
    assert score.unknown is not None
    assert (score.labelled, score.drawn) == (9, 10)
    assert score.unknown.if_wrong == pytest.approx(0.7)
    assert score.unknown.if_right == pytest.approx(0.8)
    worst, best = (scored(drawn_from_many([*[1.0] * 7, 0.0, 0.0, last])) for last in (0.0, 1.0))
    assert worst.unknown is None
    assert score.corrected.interval.low == worst.corrected.interval.low
    assert score.corrected.interval.high == best.corrected.interval.high
