"""Two runs over the same questions: by how much they differ, and how certain that is.

A pair is an answer in the baseline and the answer in the candidate that it is compared with, d = candidate - baseline.
Answers to one question are not independent, so the question, called cluster here, is the unit of intervals and tests.
A difference below 1e-9 is rounding and counts as 0.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from faithview.domain.scoring import Interval
from faithview.stats.decomposition import segment_shares
from faithview.stats.intervals import ALPHA, CONFIDENCE, SEED, student_quantile
from faithview.stats.multiple_tests import benjamini_hochberg

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_NO_CHANGE = 1e-9
_EXACT_CLUSTERS = 12  # up to here all 2^12 = 4,096 sign patterns are enumerated
_FLIPS = 10_000  # a p of 0.05 is accurate to +-0.004
_FLIPPED_AT_ONCE = 2_000_000  # signs in memory
_LEAST_FOR_POWER = 10  # clusters; the spread of fewer is too uncertain to compute a detectable difference
_POWER_80 = 2.80  # z(0.975) + z(0.80): detected in 80% of samples by a two-sided test at 5%


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """How a candidate's scores differ from a baseline's on the pairs.

    `baseline` and `candidate` are means over the pairs and `mean` their difference, candidate - baseline, in [-1, 1];
    None if there are no pairs. `interval` needs two clusters. `detectable`, the smallest true difference that such
    pairs would detect in 80% of cases, needs ten, and is also None if all differences are the same, which shows no
    spread. `p_value` is for the hypothesis that the two runs are alike; it decides what is significant, and in rare
    cases the interval says otherwise. `regressed`, `improved` and `unchanged` count pairs.
    """

    pairs: int = 0
    clusters: int = 0
    baseline: float | None = None
    candidate: float | None = None
    mean: float | None = None
    interval: Interval | None = None
    p_value: float | None = None
    detectable: float | None = None
    regressed: int = 0
    improved: int = 0
    unchanged: int = 0

    @property
    def is_significant(self) -> bool:
        """Whether the difference is statistically significant (p < 0.05)."""
        return self.p_value is not None and self.p_value < ALPHA


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentDifference:
    """How one segment's scores differ.

    `segment` is None for the rows without one. `difference` is the segment's own mean difference. `contribution` is its
    part of the difference of all pairs, n_s d_s / n: the contributions of all segments add up to it. `share_of_delta`
    is the contribution as a share of it, negative if the segment changed the other way, and None if there is no
    difference to share. `p_value_adjusted` is adjusted for testing all segments (Benjamini-Hochberg). `share_of_pairs`
    is the segment's share of the pairs; `p_value_share` tests whether it has no more of the difference than of the
    pairs, also adjusted (`decomposition`), None if there is no difference to share.
    """

    segment: str | None
    rows: int
    clusters: int
    baseline: float
    candidate: float
    difference: float
    interval: Interval | None
    p_value: float | None
    p_value_adjusted: float | None
    contribution: float
    share_of_delta: float | None
    share_of_pairs: float
    p_value_share: float | None

    @property
    def is_significant(self) -> bool:
        """Whether the segment's difference is statistically significant among all segments (adjusted p < 0.05)."""
        return self.p_value_adjusted is not None and self.p_value_adjusted < ALPHA

    @property
    def stands_out(self) -> bool:
        """Whether it has significantly more of the difference than of the pairs (adjusted p < 0.05)."""
        if self.share_of_delta is None or self.p_value_share is None:
            return False
        return self.share_of_delta > self.share_of_pairs and self.p_value_share < ALPHA


def compare_pairs(baseline: FloatArray, candidate: FloatArray, clusters: IntArray) -> PairedDifference:
    """Compare two runs on their pairs.

    The interval is `difference_interval`, the p-value is of `sign_flip_test`.

    Args:
        baseline: a score in [0, 1] for each pair.
        candidate: likewise, in the same order.
        clusters: the question that each pair belongs to, as any numbers.

    Raises:
        ValueError: the arrays differ in length, or a score is not in [0, 1].
    """
    before, after, question = _checked(baseline, candidate, clusters)
    pairs = len(question)
    if not pairs:
        return PairedDifference()
    change = _changes(before, after)
    sizes = np.bincount(question).astype(np.float64)
    sums = np.bincount(question, change).astype(np.float64)
    error = standard_error(sums, sizes) if len(sums) >= _LEAST_FOR_POWER else 0.0
    return PairedDifference(
        pairs=pairs,
        clusters=len(sums),
        baseline=math.fsum(before) / pairs,
        candidate=math.fsum(after) / pairs,
        mean=math.fsum(change) / pairs,
        interval=difference_interval(sums, sizes),
        p_value=sign_flip_test(sums),
        detectable=_POWER_80 * error if error > _NO_CHANGE else None,
        regressed=int((change < 0).sum()),
        improved=int((change > 0).sum()),
        unchanged=int((change == 0).sum()),
    )


def difference_interval(sums: FloatArray, sizes: FloatArray) -> Interval | None:
    """Return the 95% interval of sum(sums) / sum(sizes), in [-1, 1].

    Scores are near 1 and most pairs do not change, so the spread of few questions is uncertain. One question of mean
    size that gained everything and one that lost everything are added (Agresti and Min 2005, "Simple improved
    confidence intervals for comparing matched proportions"); the interval is Student's for the mean of all of them.

    Args:
        sums: the sum of the differences of each question's pairs; each difference lies in [-1, 1].
        sizes: how many pairs each question has.

    Returns:
        None if there are fewer than two questions, which give no estimate of the spread.
    """
    if len(sums) < 2:
        return None
    size = sizes.mean()
    all_sums, all_sizes = np.append(sums, [size, -size]), np.append(sizes, [size, size])
    middle = float(all_sums.sum() / all_sizes.sum())
    reach = student_quantile(CONFIDENCE, len(all_sums) - 1) * standard_error(all_sums, all_sizes)
    return Interval(max(-1.0, middle - reach), min(1.0, middle + reach))


def standard_error(sums: FloatArray, sizes: FloatArray) -> float:
    """Return the standard error of sum(sums) / sum(sizes), a ratio over clusters (Cochran 1977, 6.4); needs two."""
    number, pairs = len(sums), sizes.sum()
    residuals = sums - sums.sum() / pairs * sizes
    return float((residuals @ residuals * number / (number - 1)) ** 0.5 / pairs)


def sign_flip_test(sums: FloatArray) -> float:
    """Return the p-value of the sign-flip test on the questions' sums of differences.

    If the runs were alike, each sum would be as likely with the other sign (Fisher 1935; Good 2005, "Permutation,
    Parametric and Bootstrap Tests of Hypotheses", 3.2). All patterns of signs are enumerated if at most 12 questions
    changed, otherwise 10,000 random ones are drawn, p = (1 + as extreme) / (1 + drawn) (Phipson and Smyth 2010).
    """
    sizes = np.sort(np.abs(sums[np.abs(sums) >= _NO_CHANGE]))  # a cluster without a change has no sign to flip
    reached = abs(math.fsum(sums)) - _NO_CHANGE * (1 + len(sizes))  # ties must count despite rounding
    if len(sizes) <= _EXACT_CLUSTERS:
        ways = np.arange(2 ** len(sizes))[:, np.newaxis] >> np.arange(len(sizes)) & 1
        return float((np.abs((2.0 * ways - 1) @ sizes) >= reached).mean())
    rng = np.random.default_rng(SEED)
    extreme = 0
    block = max(1, _FLIPPED_AT_ONCE // len(sizes))
    for first in range(0, _FLIPS, block):
        ways = rng.integers(0, 2, (min(block, _FLIPS - first), len(sizes)), dtype=np.int8)
        extreme += int((np.abs((2.0 * ways - 1) @ sizes) >= reached).sum())
    return (1 + extreme) / (1 + _FLIPS)


def compare_segments(
    segments: Sequence[str | None], baseline: FloatArray, candidate: FloatArray, clusters: IntArray
) -> tuple[SegmentDifference, ...]:
    """Compare two runs segment by segment, sorted by name, with the rows without a segment last.

    Args:
        segments: each pair's segment; None for a pair without one.
        baseline: as in `compare_pairs`.
        candidate: a score in [0, 1] for each pair.
        clusters: the question that each pair belongs to.
    """
    before, after, question = _checked(baseline, candidate, clusters)
    if len(segments) != len(question):
        raise ValueError(f"There are {len(segments)} segments and {len(question)} pairs; give one segment per pair.")
    rows: dict[str | None, list[int]] = {}
    for at, segment in enumerate(segments):
        rows.setdefault(segment, []).append(at)
    change = _changes(before, after)
    total = math.fsum(change) / max(1, len(change))
    names = sorted(rows, key=lambda name: (name is None, name or ""))
    differences = [compare_pairs(before[rows[s]], after[rows[s]], question[rows[s]]) for s in names]
    adjusted = benjamini_hochberg([difference.p_value for difference in differences])
    parts = [math.fsum(change[rows[name]]) / len(change) for name in names]
    shares = {share.segment: share.p_value for share in segment_shares(segments, change, question)}
    return tuple(
        SegmentDifference(
            segment=name,
            rows=difference.pairs,
            clusters=difference.clusters,
            baseline=_known(difference.baseline),
            candidate=_known(difference.candidate),
            difference=_known(difference.mean),
            interval=difference.interval,
            p_value=difference.p_value,
            p_value_adjusted=p_value_adjusted,
            contribution=part,
            share_of_delta=part / total if abs(total) > _NO_CHANGE else None,
            share_of_pairs=difference.pairs / len(change),
            p_value_share=shares.get(name),
        )
        for name, difference, p_value_adjusted, part in zip(names, differences, adjusted, parts, strict=True)
    )


def _checked(
    baseline: FloatArray, candidate: FloatArray, clusters: IntArray
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the pairs' scores, and the number of each pair's question from 0."""
    before, after = np.asarray(baseline, dtype=np.float64), np.asarray(candidate, dtype=np.float64)
    if not len(before) == len(after) == len(clusters):
        raise ValueError(
            f"{len(before)} baseline scores, {len(after)} candidate scores and {len(clusters)} questions: "
            "give one of each per pair."
        )
    for values in (before, after):
        bad = values[~((values >= 0) & (values <= 1))]
        if len(bad):
            raise ValueError(f"A score is {float(bad[0])!r}; scores must be in [0, 1]. Leave out pairs without one.")
    return before, after, np.unique(np.asarray(clusters), return_inverse=True)[1]


def _changes(before: FloatArray, after: FloatArray) -> FloatArray:
    change = after - before
    change[np.abs(change) < _NO_CHANGE] = 0.0
    return change


def _known(value: float | None) -> float:
    assert value is not None  # noqa: S101 - a segment has at least one pair
    return value
