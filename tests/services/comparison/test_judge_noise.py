"""What the judge alone does to a comparison: known from repeats, and nothing else."""

import pytest

from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from tests.factories import N, S, make_claim, make_row, make_run, store_run

CHUNK = {"k": "The office opens at 9 am."}


def _store(services: Store, run_id: str, supported: list[bool], *, repeat_of: str | None = None) -> None:
    rows = [
        make_row(
            CHUNK,
            make_claim(f"Claim {at}.", S if good else N, *(["k"] if good else [])),
            question=f"q{at}",
            key=f"k{at}",
        )
        for at, good in enumerate(supported)
    ]
    run = make_run(run_id, repeat_of=repeat_of)
    store_run(services.db, [sample for sample, _ in rows], [result for _, result in rows], run=run)


def test_without_repeats_the_judge_s_noise_is_not_known(services: Store) -> None:
    _store(services, "old", [True] * 10)
    _store(services, "new", [True] * 9 + [False])
    assert compare_runs(services, "old", "new").noise is None


def test_difference_that_judging_again_makes_too_is_called_noise(services: Store) -> None:
    _store(services, "old", [True] * 40)
    _store(services, "again", [False] * 10 + [True] * 30, repeat_of="old")
    _store(services, "new", [False] * 3 + [True] * 37)
    found = compare_runs(services, "old", "new")
    noise = found.noise
    assert noise is not None
    # Ten of forty answers, each of one claim, flipped: a standard deviation of sqrt(10) / 40 for a difference.
    assert (noise.repeats, noise.claims_flipped, noise.answers_moved) == (2, 0.25, 0.25)
    assert noise.half_width == pytest.approx(1.959964 * 10**0.5 / 40)
    assert found.difference.mean == pytest.approx(-3 / 40)
    assert found.is_judge_noise
    assert not found.is_regression


def test_difference_beyond_the_judge_s_noise_stands(services: Store) -> None:
    _store(services, "old", [True] * 40)
    _store(services, "again", [True] * 39 + [False], repeat_of="old")
    _store(services, "new", [False] * 30 + [True] * 10)
    found = compare_runs(services, "old", "new")
    assert found.is_regression
    assert not found.is_judge_noise


def test_comparison_kept_from_before_a_repeat_is_worked_out_again(services: Store) -> None:
    _store(services, "old", [True] * 40)
    _store(services, "new", [False] * 8 + [True] * 32)
    assert compare_runs(services, "old", "new").is_regression
    _store(services, "again", [True] * 20 + [False] * 20, repeat_of="new")
    assert compare_runs(services, "old", "new").is_judge_noise
