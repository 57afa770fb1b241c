"""What the judge alone does to a score: known from repeats, and nothing else."""

import pytest

from faithview.services.comparison.judge_noise import repeat_noise
from faithview.services.container import Store
from faithview.services.results import get_run
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
    assert repeat_noise(services, get_run(services, "old")) is None


def test_noise_of_a_run_is_that_of_it_and_its_repeats(services: Store) -> None:
    _store(services, "old", [True] * 40)
    _store(services, "again", [False] * 10 + [True] * 30, repeat_of="old")
    for run_id in ("old", "again"):
        noise = repeat_noise(services, get_run(services, run_id))
        assert noise is not None
        # Ten of forty answers, each of one claim, flipped: a standard deviation of sqrt(10) / 40 for a difference.
        assert (noise.repeats, noise.claims_flipped, noise.answers_moved, noise.answers) == (2, 0.25, 0.25, 40)
        assert noise.half_width == pytest.approx(1.959964 * 10**0.5 / 40)
