"""The formulas of docs/statistics.md, written down again, give the figures that are shown."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import t as student

from faithview.stats.corrected_score import CorrectedScore, corrected_score
from faithview.stats.paired import PairedDifference, compare_pairs, compare_segments
from faithview.stats.run_score import Cluster, mean_interval
from tests.stats.made_spot_check import make_spot_check

Floats = NDArray[np.float64]


def _wilson(p: float, n: float, t: float) -> tuple[float, float]:
    middle, half = p + t * t / (2 * n), t * (p * (1 - p) / n + t * t / (4 * n * n)) ** 0.5
    return (middle - half) / (1 + t * t / n), (middle + half) / (1 + t * t / n)


def _shrunk(ratio: float, mixed: int) -> float:
    return max(ratio, (mixed * ratio + 1) / (mixed + 1))


@pytest.mark.parametrize("seed", range(8))
def test_a_runs_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 4, 9 + 20 * (seed % 3))
    scores = [rng.choice([0.0, 0.5, 1.0, 1.0, 1.0, 1.0], size) for size in sizes]
    totals, number, answers = np.array([s.sum() for s in scores]), len(sizes), int(sizes.sum())
    mean = totals.sum() / answers
    variance = number / (number - 1) * (((totals - mean * sizes) / answers) ** 2).sum()
    ratio = variance / (mean * (1 - mean) / (number - 1))
    mixed = min(int((totals < sizes).sum()), int((totals > 0).sum()))
    effective = (number - 1) / _shrunk(ratio, mixed)
    found = mean_interval([Cluster(answers=int(n), total=float(t)) for n, t in zip(sizes, totals, strict=True)])
    assert found is not None
    assert (found.low, found.high) == pytest.approx(_wilson(mean, effective, student.ppf(0.975, number - 1)), abs=1e-9)


def _pairs(seed: int, questions: int, changed: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return pairs of scores with several answers to some questions, of which only so many changed."""
    rng = np.random.default_rng(seed)
    of = np.repeat(np.arange(questions), rng.integers(1, 3, questions))
    before = rng.choice([0.4, 0.6, 0.8, 1.0], len(of))
    moved = rng.choice([-0.4, -0.3, -0.2, 0.2], len(of)) * (of < changed)
    return before, np.clip(before + moved, 0, 1), of


def _leaves_out_0(found: PairedDifference) -> bool:
    assert found.interval is not None
    return found.interval.low > 0 or found.interval.high < 0


@pytest.mark.parametrize("seed", range(60))
def test_p_is_the_share_of_all_ways_to_give_signs_and_the_interval_agrees(seed: int) -> None:
    before, after, of = _pairs(seed, 4 + seed % 20, changed=2 + seed % 8)
    found = compare_pairs(before, after, of)
    sums = np.bincount(of, after - before)
    changed = sums[np.abs(sums) > 1e-9]
    totals = [abs(float(np.dot(signs, changed))) for signs in product((-1, 1), repeat=len(changed))]
    assert found.p_value == pytest.approx(np.mean([total >= abs(sums.sum()) - 1e-9 for total in totals]), abs=1e-12)
    assert _leaves_out_0(found) == found.is_significant


def test_the_test_and_the_interval_of_a_segment_of_seventeen_questions_agree() -> None:
    # Eight of seventeen changed, one of them more than the others together; the bootstrap's interval holds 0.
    change = np.array([-0.6] + [-0.1] * 7 + [0.0] * 9)
    (found,) = compare_segments(["a"] * 17, np.full(17, 0.6), 0.6 + change, np.arange(17))
    changed = change[change != 0]
    totals = np.abs([np.dot(signs, changed) for signs in product((-1, 1), repeat=8)])
    assert found.p_value == (totals >= abs(changed.sum()) - 1e-9).mean() == found.p_value_adjusted
    assert found.is_significant
    assert found.interval is not None
    assert -1e-6 < found.interval.high < 0


@pytest.mark.parametrize("seed", range(5))
def test_the_smallest_detectable_difference(seed: int) -> None:
    before, after, of = _pairs(seed, 30, changed=25)
    change, number = after - before, int(of.max()) + 1
    sums, sizes = np.bincount(of, change), np.bincount(of)
    error = (number / (number - 1) * ((sums - change.mean() * sizes) ** 2).sum()) ** 0.5 / len(of)
    assert compare_pairs(before, after, of).detectable == pytest.approx(2.80 * error, rel=1e-9)


def _corrected(judge: Floats, people: Floats, of_run: Floats) -> tuple[float, float, tuple[float, float]]:
    """Return lambda, the corrected score and its interval, for `len(judge)` answers drawn at random of the run's."""
    n, whole = len(judge), len(of_run)
    share = 1 / n
    weights, out = np.full(n, 1 / n), 1 - n / whole
    factor = np.full(n, out / (1 - share))

    def centred(values: Floats) -> Floats:
        return np.asarray(weights * (values - values.mean()))

    plain = float(factor @ centred(people) ** 2)
    unit = float(factor @ weights**2)
    tuning = min(1.0, max(0.0, float((factor * centred(people)) @ centred(judge) / (factor @ centred(judge) ** 2))))
    pull = factor * centred(judge) ** 2
    leverage = np.minimum(0.5, pull / pull.sum())
    variance = float(factor @ (centred(people - tuning * judge) / (1 - leverage)) ** 2)
    variance = max(variance, float((out * weights**2).sum() / n))
    open_share = 1 - n / whole
    part = 2 * open_share / (1 + open_share)
    base = people.sum() / whole * (1 - part) / (1 - open_share)
    p_plain = (people.mean() - base) / part
    mixed = min(int((people < 1).sum()), int((people > 0).sum()))
    labels = 1 / (_shrunk(plain / (p_plain * (1 - p_plain) * unit), mixed) * unit) * plain / variance
    score = tuning * of_run.mean() + (people - tuning * judge).mean()
    low, high = _wilson((score - base) / part, labels * part**2, student.ppf(0.975, n - 1))
    return tuning, score, (base + part * low, base + part * high)


def test_a_corrected_score() -> None:
    compared = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        whole, drawn = 150, 20 + 10 * (seed % 4)
        truth = rng.choice([0.0, 0.5, 0.75, 1.0, 1.0, 1.0], whole)
        judge = np.where(rng.random(whole) < 0.8, truth, rng.choice([0.0, 0.5, 1.0], whole))
        is_drawn = np.zeros(whole, dtype=bool)
        is_drawn[rng.choice(whole, drawn, replace=False)] = True
        found = corrected_score(
            make_spot_check(
                answer=np.arange(whole),
                stratum=np.zeros(whole),
                pi=np.where(is_drawn, drawn / whole, np.nan),
                judge=judge,
                people=np.where(is_drawn, truth, np.nan),
            )
        )
        assert isinstance(found, CorrectedScore)
        if not found.tuning:  # the judge made the interval no shorter
            continue
        tuning, score, interval = _corrected(judge[is_drawn], truth[is_drawn], judge)
        shown = found.corrected.interval
        assert (found.tuning, found.corrected.score) == pytest.approx((tuning, score), abs=1e-9)
        assert (shown.low, shown.high) == pytest.approx(interval, abs=1e-9)
        compared += 1
    assert compared >= 20
