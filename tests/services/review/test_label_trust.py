"""Short versions of tests/performance/label_trust.py: intervals hold the truth where labels are not what they seem."""

from dataclasses import replace

import numpy as np
import pytest

from faithview.stats.corrected_score import CorrectedScore, answers_apart, corrected_score
from faithview.stats.judge_quality import Basis, judge_figures
from faithview.stats.spot_check import Unit
from tests.performance import label_trust
from tests.performance.coverage import Case, Design, JudgedClaim, LabelledRun, draw_sample, plan_check, run_of
from tests.performance.label_trust import Labelling

_REPETITIONS = 30


def _corrected(run: LabelledRun, size: int, *, seed: int) -> tuple[CorrectedScore, float]:
    """Return the score from claims drawn singly, and how far it says it can be from the mean over answers."""
    drawn = draw_sample(run, plan_check(run, Unit.CLAIM, Design.RANDOM, units=size), Case.NO_CLAIM, seed=seed)
    sample = drawn.sample_at()
    score = corrected_score(sample)
    assert isinstance(score, CorrectedScore)
    return score, answers_apart(sample, score.corrected.score)


def test_recall_of_a_spot_check_is_not_moved_by_labels_on_flagged_claims() -> None:
    """Labels on all flagged claims moved it by +.14 and left 89 % of the intervals with the truth."""
    held, errors = [], []
    for seed in range(_REPETITIONS):
        run = label_trust.make_run(seed, answers=100)
        how = Labelling(size=80, outside=10_000, missed=0.2)
        figures = judge_figures(label_trust.labels_of(run, how, seed=seed))
        assert figures.basis is Basis.SPOT_CHECK
        assert figures.rates is not None
        recall, truth = figures.rates.sensitivity, label_trust.truth_of(run, how)["sensitivity"]
        assert recall.value is not None
        assert recall.interval is not None
        held.append(recall.interval.low <= truth <= recall.interval.high)
        errors.append(recall.value - truth)
    assert np.mean(held) > 0.9
    assert abs(np.mean(errors)) < 0.05


def test_what_is_no_claim_is_announced_where_it_is_concentrated() -> None:
    held = []
    for seed in range(_REPETITIONS):
        run = label_trust.concentrated_run(seed, answers=150)
        score, apart = _corrected(run, 150, seed=seed)
        interval = score.corrected.interval
        held.append(interval.low - apart <= run.truth(Case.NO_CLAIM) <= interval.high + apart)
    assert np.mean(held) > 0.9


def test_ten_labels_do_not_move_the_corrected_score_of_a_run_that_is_nearly_labelled() -> None:
    """30 answers of 4 real claims, and 30 of 2 real claims, one of them right, and 2 headings: the mean is .75."""
    claims = [JudgedClaim(answer=f"a{at}", judge=True, people=True, support=0.9) for at in range(30) for _ in range(4)]
    for at in range(30):
        claims += [JudgedClaim(answer=f"b{at}", judge=n != 1, people=n != 1, support=0.5) for n in range(4)]
    no_claims = np.array([False] * 120 + [n >= 2 for _ in range(30) for n in range(4)])
    run = replace(run_of(claims), no_claims=no_claims)
    assert run.truth(Case.NO_CLAIM) == pytest.approx(0.75)
    score, apart = _corrected(run, 230, seed=1)
    assert score.corrected.score == pytest.approx(0.75, abs=0.01)
    assert apart < 0.02
    whole, none = _corrected(run, 240, seed=1)
    assert whole.corrected.score == pytest.approx(0.75)
    assert none == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("people", [p for p in label_trust.REVIEWERS if 0 < p.of_both < 1], ids=lambda p: p.name)
def test_reviewers_who_differ_widen_the_interval_for_labels_of_one(people: label_trust.Reviewers) -> None:
    held = []
    for seed in range(_REPETITIONS):
        run = label_trust.make_run(seed, answers=100)
        check = plan_check(run, Unit.CLAIM, Design.RANDOM, units=100)
        drawn = draw_sample(run, check, Case.COMPLETE, seed=seed)
        checked = label_trust.labels_by_two(run, drawn, people, seed=seed).read_at()
        assert checked.errors.is_known
        score = corrected_score(checked.sample)
        assert isinstance(score, CorrectedScore)
        interval = score.corrected.interval
        held.append(interval.low <= run.truth(Case.COMPLETE) <= interval.high)
    assert np.mean(held) > 0.9


def test_reviewers_without_claims_in_common_are_not_held_against_each_other() -> None:
    (people,) = [p for p in label_trust.REVIEWERS if p.name.startswith("stricter") and not p.of_both]
    run = label_trust.make_run(1, answers=100)
    drawn = draw_sample(run, plan_check(run, Unit.CLAIM, Design.RANDOM, units=100), Case.COMPLETE, seed=1)
    checked = label_trust.labels_by_two(run, drawn, people, seed=1).read_at()
    assert (checked.errors.is_known, checked.errors.reviewers) == (False, frozenset({"ann", "bob"}))
    assert not checked.sample.has_unknown
