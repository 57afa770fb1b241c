"""The corrected score: worked examples, a second implementation, and properties that hold for any spot-check."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from faithview.stats.corrected_score import (
    CorrectedScore,
    NotEnoughLabels,
    corrected_score,
    uncertain_part,
)
from faithview.stats.spot_check import SpotCheckSample, Stratum, Unit
from tests.stats.made_spot_check import make_spot_check

Floats = NDArray[np.float64]


def simple(judge: Sequence[float], people: dict[int, float]) -> SpotCheckSample:
    """One claim an answer, the labelled ones drawn at random without strata."""
    labels = [people.get(i, math.nan) for i in range(len(judge))]
    pi = [len(people) / len(judge) if i in people else math.nan for i in range(len(judge))]
    return make_spot_check(answer=range(len(judge)), stratum=["all"] * len(judge), pi=pi, judge=judge, people=labels)


def scored(check: SpotCheckSample, *, tuning: float | None = None) -> CorrectedScore:
    score = corrected_score(check, tuning=tuning)
    assert isinstance(score, CorrectedScore)
    return score


# Forty answers; the judge calls 28 supported. Ten are labelled: people agree on 7.
JUDGE = [1.0, 0.0] * 12 + [1.0] * 16
PEOPLE = {0: 1.0, 1: 0.0, 4: 1.0, 6: 1.0, 9: 0.0, 11: 1.0, 15: 0.0, 25: 0.0, 30: 1.0, 39: 1.0}


def test_full_use_of_the_judge_adds_the_mean_correction_to_the_judges_mean() -> None:
    # The judge says 28 of 40, and 6 of the 10 labelled; people say 6 of 10: nothing to correct.
    assert scored(simple(JUDGE, PEOPLE), tuning=1.0).corrected.score == pytest.approx(0.7)


def test_half_use_of_the_judge_adds_half_of_what_it_says_of_the_whole_beyond_the_labelled() -> None:
    # 0.6 + 0.5 * (0.7 - 0.6)
    assert scored(simple(JUDGE, PEOPLE), tuning=0.5).corrected.score == pytest.approx(0.65)


def test_the_labels_alone_give_the_mean_and_the_variance_of_simple_random_sampling() -> None:
    score = scored(simple(JUDGE, PEOPLE))
    assert score.labels_only.score == pytest.approx(0.6)
    # (1 - n/N) s^2 / n with s^2 = 10/9 * 0.6 * 0.4
    assert score.labels_only.variance == pytest.approx(0.75 * (10 / 9 * 0.24) / 10)
    assert score.labels_only.effective == pytest.approx(9 / 0.75)
    assert score.degrees == pytest.approx(9)


def test_strata_are_weighted_by_their_size_and_not_by_what_was_drawn_from_them() -> None:
    # 8 of 10 answers in A, 2 in B; A's labels: 1, 1, 0, 1 -> 0.75; both of B's: 0, 1 -> 0.5.
    labels = [1, 1, 0, 1, math.nan, math.nan, math.nan, math.nan, 0, 1]
    pi = [0.5] * 4 + [math.nan] * 4 + [1.0] * 2
    check = make_spot_check(answer=range(10), stratum=["A"] * 8 + ["B"] * 2, pi=pi, judge=[1.0] * 10, people=labels)
    score = scored(check)
    assert score.labels_only.score == pytest.approx(0.8 * 0.75 + 0.2 * 0.5)
    # B is known; A: 0.8^2 (1 - 4/8) s^2 / 4 with s^2 = 4/3 * 0.75 * 0.25
    assert score.labels_only.variance == pytest.approx(0.64 * 0.5 * 0.25 / 4)


def test_unequal_chances_weigh_labels_by_their_inverse() -> None:
    check = SpotCheckSample(
        strata=(Stratum(name="all", units=10, weight=1.0, judged=0.5),),
        stratum=np.array([0, 0, 0]),
        pi=np.array([0.2, 0.4, 0.8]),
        weight=np.full(3, 0.1),
        judge=np.zeros(3),
        people=np.array([1.0, 0.0, 1.0]),
    )
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


def test_an_answer_with_a_claim_still_to_label_is_not_counted_yet() -> None:
    check = make_spot_check(
        answer=["a", "a", "b", "c", "d"],
        stratum=["all"] * 5,
        pi=[0.75] * 4 + [math.nan],
        judge=[1, 1, 1, 0, 1],
        people=[1, math.nan, 1, 0, math.nan],
    )
    score = scored(check)
    assert (score.labelled, score.drawn) == (2, 3)
    assert score.labels_only.score == pytest.approx(0.5)
    # 2 of 4 answers are labelled, whatever was drawn: (1 - 2/4) s^2 / 2 with s^2 = 0.5
    assert score.labels_only.variance == pytest.approx(0.125)


@pytest.mark.parametrize("use", [0.0, 0.5, 1.0])
def test_the_point_is_that_of_truescores_prediction_powered_estimate(use: float) -> None:
    import truescore

    # truescore sets the labelled apart from the rest, so that its lambda is ours times (1 - n/N).
    ours = scored(simple(JUDGE, PEOPLE), tuning=use).corrected.score
    theirs = truescore.ppi_estimate(
        np.array(JUDGE), np.array(list(PEOPLE.values())), np.array(list(PEOPLE)), lambda_=use * 0.75
    )
    assert ours == pytest.approx(theirs.point)


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
    assert of_source == pytest.approx((0.76057 - 0.69269) / 2, rel=0.01)


def test_without_the_judge_it_is_the_labels_only_estimate() -> None:
    score = scored(simple(JUDGE, PEOPLE), tuning=0.0)
    assert score.corrected == score.labels_only


def test_a_judge_that_says_the_same_of_everything_is_not_used() -> None:
    score = scored(simple([1.0] * 40, PEOPLE))
    assert score.tuning == 0
    assert score.corrected == score.labels_only


def test_a_judge_that_is_mostly_right_shortens_the_interval() -> None:
    people = {i: JUDGE[i] for i in range(0, 40, 2)} | {i: JUDGE[i] for i in range(1, 10, 2)}
    score = scored(simple(JUDGE, people | {3: 1.0}))
    assert score.tuning > 0.5
    assert score.corrected.half_width < 0.8 * score.labels_only.half_width


def test_labels_that_never_disagree_with_the_judge_do_not_make_the_score_certain() -> None:
    score = scored(simple(JUDGE, {i: JUDGE[i] for i in range(8)}))
    assert score.tuning == 1
    assert score.corrected.half_width > 0.02


def test_labels_that_are_all_the_same_do_not_make_the_score_certain() -> None:
    score = scored(simple(JUDGE, dict.fromkeys(range(8), 1.0)))
    assert score.labels_only.score == 1
    assert score.labels_only.interval.high == 1
    # Wilson's interval for 8 of 8 reaches down to 0.68; 8 of 40 are known, and t is a little wider than the normal.
    assert 0.6 < score.labels_only.interval.low < 0.75


@pytest.mark.parametrize("labelled", [0, 1])
def test_a_stratum_with_fewer_than_two_labels_gets_a_sentence_and_no_number(labelled: int) -> None:
    labels = [1, 0, 1, math.nan, math.nan] + [1, 0][:labelled] + [math.nan] * (5 - labelled)
    pi = [0.6] * 3 + [math.nan] * 2 + [0.4] * 2 + [math.nan] * 3
    check = make_spot_check(answer=range(10), stratum=["A"] * 5 + ["B"] * 5, pi=pi, judge=[1] * 10, people=labels)
    refusal = corrected_score(check)
    assert isinstance(refusal, NotEnoughLabels)
    assert (refusal.stratum, refusal.labelled, refusal.needed) == ("B", labelled, 2 - labelled)
    noun = "answer" if labelled == 1 else "answers"
    assert refusal.message == (
        f"Stratum 'B' has {labelled} labelled {noun}, and an estimate needs at least 2; label {2 - labelled} more."
    )
    assert refusal.judge == 1


def test_a_stratum_of_one_answer_that_is_labelled_is_enough() -> None:
    labels = [1, 0, 1, math.nan, math.nan, 1]
    check = make_spot_check(
        answer=range(6),
        stratum=["A"] * 5 + ["B"],
        pi=[0.6] * 3 + [math.nan] * 2 + [1.0],
        judge=[1] * 6,
        people=labels,
    )
    assert scored(check).labels_only.score == pytest.approx(5 / 6 * 2 / 3 + 1 / 6)


def test_a_chance_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match=r"inclusion probability is .*0\.0"):
        make_spot_check(answer=[1], stratum=["all"], pi=[0.0], judge=[1], people=[1])


runs = st.integers(min_value=0, max_value=2**31).map(np.random.default_rng)


def any_check(rng: np.random.Generator, *, wholly: bool = False, unit: Unit = Unit.ANSWER) -> SpotCheckSample:
    answers = int(rng.integers(6, 30))
    of = np.repeat(np.arange(answers), rng.integers(1, 6, answers))
    strata = np.where(np.arange(answers) < answers // 2, "A", "B")
    units = of if unit is Unit.ANSWER else np.arange(len(of))
    drawn = rng.random(units.max() + 1) < 0.6
    drawn[units[[0, 1, 2, 3, -1, -2, -3, -4]]] = True
    first = np.unique(units, return_index=True)[1]
    for side in "AB":  # two labelled units each
        mine = np.flatnonzero(strata[of[first]] == side)
        drawn[mine[:3]] = True
    pi = rng.uniform(0.2, 0.9, len(drawn))[units]
    return make_spot_check(
        answer=of,
        stratum=strata[of],
        pi=np.ones(len(of)) if wholly else np.where(drawn[units], pi, math.nan),
        judge=rng.random(len(of)) < 0.7,
        people=np.where(drawn[units] | wholly, rng.random(len(of)) < 0.6, math.nan),
        unit=unit,
    )


@given(rng=runs, unit=st.sampled_from(Unit))
def test_when_everything_is_labelled_the_score_is_exact_and_the_interval_a_point(
    rng: np.random.Generator, unit: Unit
) -> None:
    check = any_check(rng, wholly=True, unit=unit)
    score = scored(check)
    truth = float(check.weight @ check.people)
    for estimate in (score.labels_only, score.corrected):
        assert estimate.score == pytest.approx(truth)
        assert estimate.interval.low == pytest.approx(truth)
        assert estimate.interval.high == pytest.approx(truth)
        assert estimate.variance == 0
        assert math.isinf(estimate.effective)


@given(rng=runs, unit=st.sampled_from(Unit))
def test_the_interval_holds_the_score_lies_in_0_to_1_and_is_never_wider_than_the_labels_only_one(
    rng: np.random.Generator, unit: Unit
) -> None:
    score = scored(any_check(rng, unit=unit))
    for estimate in (score.labels_only, score.corrected):
        assert 0 <= estimate.interval.low <= estimate.score <= estimate.interval.high <= 1
    assert score.corrected.half_width <= score.labels_only.half_width
    assert 0 <= score.tuning <= 1


@given(rng=runs, unit=st.sampled_from(Unit))
def test_the_order_of_the_labels_does_not_matter(rng: np.random.Generator, unit: Unit) -> None:
    check = any_check(rng, unit=unit)
    order = rng.permutation(len(check.pi))
    shuffled = SpotCheckSample(
        strata=check.strata,
        stratum=check.stratum[order],
        pi=check.pi[order],
        weight=check.weight[order],
        judge=check.judge[order],
        people=check.people[order],
        unit=check.unit,
        labels_per_unit=check.labels_per_unit,
    )
    one, other = scored(check), scored(shuffled)
    assert one.corrected.score == pytest.approx(other.corrected.score)
    assert one.corrected.interval.low == pytest.approx(other.corrected.interval.low)
    assert one.labels_only.interval.high == pytest.approx(other.labels_only.interval.high)


@given(rng=runs, unit=st.sampled_from(Unit))
def test_scoring_what_is_unsupported_instead_mirrors_everything(rng: np.random.Generator, unit: Unit) -> None:
    check = any_check(rng, unit=unit)
    mirrored = SpotCheckSample(
        strata=tuple(
            Stratum(name=s.name, units=s.units, weight=s.weight, judged=s.weight - s.judged) for s in check.strata
        ),
        stratum=check.stratum,
        pi=check.pi,
        weight=check.weight,
        judge=1 - check.judge,
        people=1 - check.people,
    )
    one, other = scored(check), scored(mirrored)
    assert one.labels_only.score == pytest.approx(1 - other.labels_only.score)
    assert one.labels_only.interval.low == pytest.approx(1 - other.labels_only.interval.high)
    assert one.corrected.interval.high == pytest.approx(1 - other.corrected.interval.low, abs=1e-6)


@settings(max_examples=20)
@given(rng=runs)
def test_equal_chances_give_the_horvitz_thompson_estimate(rng: np.random.Generator) -> None:
    labels = (rng.random(12) < 0.5).astype(float)
    score = scored(simple([1.0] * 30, dict(enumerate(labels))))
    assert score.labels_only.score == pytest.approx(float((labels / (12 / 30)).sum() / 30))


def drawn_from_very_many(people: Sequence[float], *, judge: Sequence[float] | None = None) -> SpotCheckSample:
    """So many answers of a run of a million, drawn at random; the judge says that everything is right or, as given."""
    run, number = 1_000_000, len(people)
    judged = np.ones(number) if judge is None else np.asarray(judge, dtype=np.float64)
    return SpotCheckSample(
        strata=(Stratum(name="all", units=run, weight=1.0, judged=float(judged.mean())),),
        stratum=np.zeros(number, dtype=np.int64),
        pi=np.full(number, number / run),
        weight=np.full(number, 1 / run),
        judge=judged,
        people=np.asarray(people, dtype=np.float64),
    )


def test_claims_that_were_passed_over_widen_the_interval_by_all_that_they_could_be() -> None:
    # Two answers of ten are labelled by half: 7 of 10 at the labels' own scores, 6.5 at worst, 7.5 at best.
    check = replace(
        drawn_from_very_many([1.0] * 7 + [0.0] * 3),
        labelled_share=np.array([0.5, *[1.0] * 8, 0.5]),
        worst=np.array([0.5, *[1.0] * 6, *[0.0] * 3]),
        best=np.array([*[1.0] * 7, 0.0, 0.0, 0.5]),
    )
    score = scored(check)
    assert score.unknown is not None
    assert score.unknown.if_wrong == pytest.approx(0.65)
    assert score.unknown.if_right == pytest.approx(0.75)
    plain = replace(check, labelled_share=None, worst=None, best=None)
    worst, best = (scored(replace(plain, people=np.asarray(ends))) for ends in (check.worst, check.best))
    middle = scored(replace(check, worst=None, best=None))
    assert score.unknown.sampling == middle.corrected.interval
    for widened, low, high in (
        (score.corrected.interval, worst.corrected, best.corrected),
        (score.labels_only.interval, worst.labels_only, best.labels_only),
    ):
        assert (widened.low, widened.high) == (low.interval.low, high.interval.high)
    assert middle.unknown is None
    assert score.sampling_half_width == middle.corrected.half_width < score.corrected.half_width


def test_the_part_of_a_run_that_is_uncertain() -> None:
    assert [uncertain_part(known) for known in (0.0, 0.5, 1.0)] == pytest.approx([1.0, 2 / 3, 0.0])
