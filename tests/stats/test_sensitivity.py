"""The sensitivity of a ranking: settings worked by hand, and what must hold for any runs."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.stats.run_score import Cluster, run_score
from faithview.stats.sensitivity import (
    Average,
    Failed,
    NoClaims,
    RunVerdicts,
    Setting,
    all_settings,
    score,
    sensitivity,
)

answer = st.integers(1, 6).flatmap(
    lambda claims: st.integers(0, claims).flatmap(
        lambda supported: st.tuples(st.just(claims), st.just(supported), st.integers(0, claims - supported))
    )
)
some_runs = st.lists(
    st.tuples(st.lists(answer, max_size=6), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=4
)


def run_of(answers: Sequence[tuple[int, int, int]], without_claims: int = 0, unscored: int = 0) -> RunVerdicts:
    """One (claims, supported, partially supported) an answer."""
    claims, supported, partial = np.array(answers, dtype=np.int64).reshape(-1, 3).T
    return RunVerdicts(
        claims=claims, supported=supported, partial=partial, without_claims=without_claims, unscored=unscored
    )


# Two answers: 2 of 2 supported, and 1 of 8 with 4 partly; one without claims, and one that failed.
RUN = run_of([(2, 2, 0), (8, 1, 4)], without_claims=1, unscored=1)


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (Setting(), (1 + 1 / 8) / 2),
        (Setting(partial=0.5), (1 + 3 / 8) / 2),
        (Setting(partial=1.0), (1 + 5 / 8) / 2),
        (Setting(no_claims=NoClaims.IN), (1 + 1 / 8 + 1) / 3),
        (Setting(failed=Failed.WORST), (1 + 1 / 8) / 3),
        (Setting(failed=Failed.BEST), (1 + 1 / 8 + 1) / 3),
        (Setting(no_claims=NoClaims.IN, failed=Failed.WORST), (1 + 1 / 8 + 1) / 4),
        (Setting(average=Average.MICRO), 3 / 10),
        (Setting(average=Average.MICRO, partial=0.5), 5 / 10),
        (Setting(average=Average.MICRO, no_claims=NoClaims.IN), 3 / 10),
        (Setting(average=Average.MICRO, failed=Failed.WORST), 3 / 15),  # with 5 claims, the mean of 2 and 8
        (Setting(average=Average.MICRO, failed=Failed.BEST), 8 / 15),
    ],
    ids=str,
)
def test_a_run_under_each_choice_worked_by_hand(setting: Setting, expected: float) -> None:
    assert score(RUN, setting) == pytest.approx(expected)


def test_every_combination_comes_once_and_the_standard_one_first() -> None:
    assert len(set(all_settings())) == len(all_settings()) == 2 * 3 * 2 * 3
    assert all_settings()[0] == Setting()


def test_a_run_without_a_judged_answer_has_no_standard_score_and_no_rank() -> None:
    found = sensitivity([RUN, run_of([], unscored=2)])
    assert found.standard.scores[1] is None
    assert found.standard.ranks == (1, None)
    worst = next(r for r in found.settings if r.setting == Setting(failed=Failed.WORST))
    assert worst.scores[1] == 0.0


def test_a_ranking_that_micro_averaging_overturns_is_named() -> None:
    # The first run does well on its short answer, the second on its long one.
    found = sensitivity([run_of([(1, 1, 0), (9, 3, 0)]), run_of([(1, 0, 0), (9, 9, 0)])])
    assert found.standard.ranks == (1, 2)
    micro = next(r for r in found.settings if r.setting == Setting(average=Average.MICRO))
    assert micro.ranks == (2, 1)
    assert micro.overturned == ((0, 1),)
    assert micro in found.changed
    assert found.standard not in found.changed


def test_a_tie_is_a_change_but_overturns_nothing() -> None:
    found = sensitivity([run_of([(2, 2, 0)]), run_of([(2, 1, 1)])])
    full = next(r for r in found.settings if r.setting == Setting(partial=1.0))
    assert (full.ranks, full.overturned, full.is_changed) == ((1, 1), (), True)


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="Answer 1 has 2 claims, 2 supported and 1 partially"):
        run_of([(1, 1, 0), (2, 2, 1)])
    with pytest.raises(ValueError, match="Answer 0 has 0 claims"):
        run_of([(0, 0, 0)])
    with pytest.raises(ValueError, match="There are -1 answers"):
        run_of([(1, 1, 0)], unscored=-1)
    with pytest.raises(ValueError, match="2 numbers of claims, 1 of supported"):
        RunVerdicts(claims=np.array([1, 1]), supported=np.array([1]), partial=np.array([0, 0]))


@given(runs=some_runs)
def test_the_standard_score_and_its_bounds_are_the_runs_own(
    runs: list[tuple[list[tuple[int, int, int]], int, int]],
) -> None:
    for answers, without_claims, unscored in runs:
        run = run_of(answers, without_claims, unscored)
        own = run_score([Cluster(answers=1, total=a[1] / a[0]) for a in answers], unscored=unscored)
        assert score(run, Setting()) == (None if own.mean is None else pytest.approx(own.mean))
        if own.bounds is not None:
            assert score(run, Setting(failed=Failed.WORST)) == pytest.approx(own.bounds.low)
            assert score(run, Setting(failed=Failed.BEST)) == pytest.approx(own.bounds.high)


@given(runs=some_runs)
def test_scores_are_shares_and_kinder_choices_never_lower_them(
    runs: list[tuple[list[tuple[int, int, int]], int, int]],
) -> None:
    found = sensitivity([run_of(*run) for run in runs])
    by_setting = {result.setting: result.scores for result in found.settings}
    assert by_setting[Setting()] == found.standard.scores
    for setting, scores in by_setting.items():
        assert all(value is None or 0 <= value <= 1 for value in scores)
        kinder = Setting(
            average=setting.average,
            partial=1.0,
            no_claims=NoClaims.IN,
            failed=Failed.BEST if setting.failed is Failed.WORST else setting.failed,
        )
        for value, best in zip(scores, by_setting[kinder], strict=True):
            assert value is None or (best is not None and best >= value - 1e-12)


@given(runs=some_runs)
def test_the_order_of_the_runs_does_not_change_their_ranks(
    runs: list[tuple[list[tuple[int, int, int]], int, int]],
) -> None:
    there = sensitivity([run_of(*run) for run in runs])
    back = sensitivity([run_of(*run) for run in reversed(runs)])
    for one, other in zip(there.settings, back.settings, strict=True):
        assert one.ranks == other.ranks[::-1]
        assert one.is_changed == other.is_changed
        assert len(one.overturned) == len(other.overturned)


def test_runs_that_tie_by_the_standard_are_not_overturned_by_a_setting_that_parts_them() -> None:
    runs = [run_of([(2, 1, 0)]), run_of([(2, 1, 1)])]
    half = next(result for result in sensitivity(runs).settings if result.setting == Setting(partial=0.5))
    assert (half.ranks, half.overturned, half.is_changed) == ((2, 1), (), True)


def test_scores_that_differ_by_less_than_a_billionth_share_a_rank() -> None:
    found = sensitivity([run_of([(3, 1, 0)] * 3), run_of([(3, 1, 0)])])
    assert found.standard.ranks == (1, 1)


@pytest.mark.parametrize("setting", [Setting(no_claims=NoClaims.IN), Setting(failed=Failed.WORST)], ids=str)
def test_a_run_has_no_answers_without_claims_or_a_verdict_unless_it_is_said(setting: Setting) -> None:
    one, none = np.array([2]), np.array([0])
    assert score(RunVerdicts(claims=one, supported=np.array([1]), partial=none), setting) == 0.5
