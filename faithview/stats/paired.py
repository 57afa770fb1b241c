"""Two runs over the same questions: by how much they differ, and how certain that is.

A pair is an answer in the baseline and the answer in the candidate that it is compared with, d = candidate - baseline.
Answers to one question are not independent, so the question, called cluster here, is the unit that intervals resample
and whose signs tests flip. A difference below 1e-9 is rounding and counts as 0.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from faithview.domain.scoring import Interval
from faithview.stats.decomposition import segment_shares
from faithview.stats.difference_interval import difference_interval, standard_error
from faithview.stats.intervals import ALPHA, CONFIDENCE, SEED
from faithview.stats.multiple_tests import benjamini_hochberg

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

_NO_CHANGE = 1e-9
_EXACT_CLUSTERS = 12  # up to here all 2^12 = 4,096 sign patterns are enumerated
_FLIPS = 10_000  # a p of 0.05 is accurate to +-0.004
_FLIP_BLOCK = 100  # draws at a time, so they stay in the processor's cache
_OFTEN = 64  # clusters with the same sum: from here on, drawing the number of flips is faster than flipping each
_LEAST_FOR_POWER = 10  # clusters; the spread of fewer is too uncertain to compute a detectable difference
_POWER_80 = 2.80  # z(0.975) + z(0.80): detected in 80% of samples by a two-sided test at 5%


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """How a candidate's scores differ from a baseline's on the pairs.

    `baseline` and `candidate` are means over the pairs and `mean` their difference, candidate - baseline, in [-1, 1];
    None if there are no pairs. `interval` needs two clusters. `detectable`, the smallest true difference that such
    pairs would detect in 80% of cases, needs ten, and is also None if all differences are the same, which shows no
    spread. `p_value` is for the hypothesis that the two runs are alike; it is below 1 - the interval's level if and
    only if the interval excludes 0. Interval, p and `detectable` are also None if no test is made (`untested`).
    `regressed`, `improved` and `unchanged` count pairs.
    """

    pairs: int
    clusters: int
    baseline: float | None
    candidate: float | None
    mean: float | None
    interval: Interval | None
    p_value: float | None
    detectable: float | None
    regressed: int
    improved: int
    unchanged: int

    @property
    def is_significant(self) -> bool:
        """Whether the difference is statistically significant (p < 0.05)."""
        return self.p_value is not None and self.p_value < ALPHA

    @property
    def is_tested(self) -> bool:
        """Whether there are pairs and they were tested."""
        return self.p_value is not None

    def untested(self) -> "PairedDifference":
        """Return the figures without the test, for data that violate its assumption."""
        return replace(self, interval=None, p_value=None, detectable=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentDifference:
    """How one segment's scores differ.

    `segment` is None for the rows without one. `difference` is the segment's own mean difference. `contribution` is its
    part of the difference of all pairs, n_s d_s / n: the contributions of all segments add up to it. `share_of_delta`
    is the contribution as a share of it, negative if the segment changed the other way, and None if there is no
    difference to share. `p_value_adjusted` is adjusted for testing all segments. Interval and p-values are None if no
    test is made (`untested`). `share_of_pairs` is the segment's share of the pairs; `p_value_share` tests whether it
    has no more of the difference than of the pairs, also adjusted (`decomposition`), None if there is no difference to
    share.
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

    def untested(self) -> "SegmentDifference":
        """Return the figures without the test, for data that violate its assumption."""
        return replace(self, interval=None, p_value=None, p_value_adjusted=None)

    @property
    def stands_out(self) -> bool:
        """Whether it has significantly more of the difference than of the pairs (adjusted p < 0.05)."""
        if self.share_of_delta is None or self.p_value_share is None:
            return False
        return self.share_of_delta > self.share_of_pairs and self.p_value_share < ALPHA


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Answers that stopped and started being faithful, with McNemar's exact test.

    `lost` and `gained` count answers. Each question has one vote: `lost_votes` and `gained_votes` count questions that
    lost more answers than they gained, and the reverse, and the test uses these. If each question has one answer they
    are the same. `p_value` is None if there are no pairs or no test is made (`untested`).
    """

    lost: int
    gained: int
    lost_votes: int
    gained_votes: int
    p_value: float | None

    def untested(self) -> "McNemar":
        """Return the counts without the test, for data that violate its assumption."""
        return replace(self, p_value=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    interval: Interval | None
    p_value: float


def compare_pairs(
    baseline: FloatArray, candidate: FloatArray, clusters: IntArray, *, seed: int = SEED, level: float = CONFIDENCE
) -> PairedDifference:
    """Compare two runs on their pairs.

    The interval is `difference_interval`'s. The p-value is from the sign-flip test (Fisher 1935; Good 2005,
    "Permutation, Parametric and Bootstrap Tests of Hypotheses", 3.2) on the clusters' sums: if the runs were alike,
    each sum would be as likely with the other sign. All sign patterns are enumerated if at most 12 clusters changed,
    otherwise 10,000 random ones are drawn, p = (1 + as extreme) / (1 + drawn) (Phipson and Smyth 2010).

    The test decides, and the interval agrees with it. If p is not below 1 - level and the interval excludes 0, it is
    extended to 0. If p is below it and the interval contains 0, it ends just short of 0, at 1e-9: the widest interval
    that agrees.

    Args:
        baseline: a score in [0, 1] for each pair.
        candidate: likewise, in the same order.
        clusters: the question that each pair belongs to, as any numbers.
        seed: the seed of all draws.
        level: the interval's confidence, in (0, 1).

    Raises:
        ValueError: the arrays differ in length, a score is not in [0, 1], or `level` is out of its range.
    """
    checked = _checked(baseline, candidate, clusters, level)
    before, after, question = checked.before, checked.after, checked.question
    pairs = len(question)
    if not pairs:
        return PairedDifference(
            pairs=0,
            clusters=0,
            baseline=None,
            candidate=None,
            mean=None,
            interval=None,
            p_value=None,
            detectable=None,
            regressed=0,
            improved=0,
            unchanged=0,
        )
    change = _changes(before, after)
    sizes = np.bincount(question).astype(np.float64)
    sums = np.bincount(question, change).astype(np.float64)
    error = standard_error(sums, sizes) if len(sums) >= _LEAST_FOR_POWER else 0.0
    found = _find(sums, sizes, level=level, seed=seed)
    return PairedDifference(
        pairs=pairs,
        clusters=len(sums),
        baseline=math.fsum(before) / pairs,
        candidate=math.fsum(after) / pairs,
        mean=math.fsum(change) / pairs,
        interval=found.interval,
        p_value=found.p_value,
        detectable=_POWER_80 * error if error > _NO_CHANGE else None,
        regressed=int((change < 0).sum()),
        improved=int((change > 0).sum()),
        unchanged=int((change == 0).sum()),
    )


def sign_flip_test(sums: FloatArray, *, seed: int = SEED) -> float:
    """Return the p-value of the sign-flip test on the questions' sums of differences (see `compare_pairs`)."""
    sizes = np.sort(np.abs(sums[np.abs(sums) >= _NO_CHANGE]))  # a cluster without a change has no sign to flip
    reached = abs(math.fsum(sums)) - _NO_CHANGE * (1 + len(sizes))  # ties must count despite rounding
    if len(sizes) <= _EXACT_CLUSTERS:
        return float((np.abs(_signs(len(sizes)) @ sizes) >= reached).mean())
    rng = np.random.default_rng(seed)
    values, counts = np.unique(sizes.round(9), return_counts=True)
    is_often = counts >= _OFTEN
    often, times, seldom = values[is_often], counts[is_often], np.repeat(values[~is_often], counts[~is_often])
    # The others eight clusters at a time: their 256 sums are computed once, then a random byte picks one.
    eights = np.pad(seldom, (0, -len(seldom) % 8)).reshape(-1, 8)
    table = (eights @ _signs(8).T).ravel()
    starts = np.arange(len(eights), dtype=np.int32) * 256
    extreme = 0
    for _ in range(0, _FLIPS, _FLIP_BLOCK):
        total = (2.0 * rng.binomial(times, 0.5, (_FLIP_BLOCK, len(times))) - times) @ often
        picked = rng.integers(0, 256, (_FLIP_BLOCK, len(eights)), dtype=np.uint8)
        total += table.take(picked + starts).sum(axis=1)
        extreme += int((np.abs(total) >= reached).sum())
    return (1 + extreme) / (1 + _FLIPS)


def compare_segments(
    segments: Sequence[str | None],
    baseline: FloatArray,
    candidate: FloatArray,
    clusters: IntArray,
    *,
    seed: int = SEED,
    level: float = CONFIDENCE,
) -> tuple[SegmentDifference, ...]:
    """Compare two runs segment by segment, sorted by name, with the rows without a segment last.

    Args:
        segments: each pair's segment; None for a pair without one.
        baseline: as in `compare_pairs`.
        candidate: a score in [0, 1] for each pair.
        clusters: the question that each pair belongs to.
        seed: the seed of all draws.
        level: the intervals' confidence, in (0, 1).
    """
    checked = _checked(baseline, candidate, clusters, level)
    before, after, question = checked.before, checked.after, checked.question
    if len(segments) != len(question):
        raise ValueError(f"There are {len(segments)} segments and {len(question)} pairs; give one segment per pair.")
    rows: dict[str | None, list[int]] = {}
    for at, segment in enumerate(segments):
        rows.setdefault(segment, []).append(at)
    change = _changes(before, after)
    total = math.fsum(change) / max(1, len(change))
    names = sorted(rows, key=lambda name: (name is None, name or ""))
    differences = [
        compare_pairs(before[rows[s]], after[rows[s]], question[rows[s]], seed=seed, level=level) for s in names
    ]
    adjusted = benjamini_hochberg([difference.p_value for difference in differences])
    parts = [math.fsum(change[rows[name]]) / len(change) for name in names]
    shares = {share.segment: share.p_value for share in segment_shares(segments, change, question, seed=seed)}
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


def mcnemar(baseline: BoolArray, candidate: BoolArray, clusters: IntArray | None = None) -> McNemar:
    """Test whether as many answers stopped being faithful as started (McNemar 1947; exact, by the binomial).

    Several answers to one question would count one cause several times, so each question votes once, by whether it lost
    or gained more answers; a question with as many of both does not vote.

    Args:
        baseline: whether each pair's answer was faithful.
        candidate: whether it is now.
        clusters: the question that each pair belongs to; None if each pair has its own.

    Raises:
        ValueError: the arrays differ in length.
    """
    from scipy.special import bdtr  # here, so `import faithview` stays quick

    before, after = np.asarray(baseline, dtype=bool), np.asarray(candidate, dtype=bool)
    questions = np.arange(len(before)) if clusters is None else np.asarray(clusters)
    if not len(before) == len(after) == len(questions):
        raise ValueError(
            f"{len(before)} baseline answers, {len(after)} candidate answers and {len(questions)} questions: "
            "give one of each per pair."
        )
    if not len(before):
        return McNemar(lost=0, gained=0, lost_votes=0, gained_votes=0, p_value=None)
    change = after.astype(np.int64) - before
    _, question = np.unique(questions, return_inverse=True)
    votes = np.bincount(question, change)
    down, up = int((votes < 0).sum()), int((votes > 0).sum())
    return McNemar(
        lost=int((change < 0).sum()),
        gained=int((change > 0).sum()),
        lost_votes=down,
        gained_votes=up,
        p_value=min(1.0, 2 * float(bdtr(min(down, up), down + up, 0.5))) if down + up else 1.0,
    )


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The pairs' scores, and the position of each pair's question."""

    before: FloatArray
    after: FloatArray
    question: IntArray


def _checked(baseline: FloatArray, candidate: FloatArray, clusters: IntArray, level: float) -> _Pairs:
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
    if not 0 < level < 1:
        raise ValueError(f"The confidence is {level!r}; it must be between 0 and 1, for example 0.95.")
    _, question = np.unique(np.asarray(clusters), return_inverse=True)
    return _Pairs(before, after, question)


def _changes(before: FloatArray, after: FloatArray) -> FloatArray:
    change = after - before
    change[np.abs(change) < _NO_CHANGE] = 0.0
    return change


def _find(sums: FloatArray, sizes: FloatArray, *, level: float, seed: int) -> _Finding:
    interval, p_value = difference_interval(sums, sizes, level=level, seed=seed), sign_flip_test(sums, seed=seed)
    is_real = p_value < 1 - level
    if interval is None or _leaves_out_0(interval) == is_real:
        return _Finding(interval=interval, p_value=p_value)
    if not is_real:
        return _Finding(interval=Interval(min(0.0, interval.low), max(0.0, interval.high)), p_value=p_value)
    if math.fsum(sums) > 0:
        return _Finding(interval=Interval(_NO_CHANGE, max(_NO_CHANGE, interval.high)), p_value=p_value)
    return _Finding(interval=Interval(min(-_NO_CHANGE, interval.low), -_NO_CHANGE), p_value=p_value)


def _leaves_out_0(interval: Interval) -> bool:
    return interval.low > 0 or interval.high < 0


def _signs(number: int) -> FloatArray:
    """Return all 2^number rows of +1 and -1."""
    ways = np.arange(2**number)[:, np.newaxis] >> np.arange(number)
    return np.where(ways & 1, -1.0, 1.0)


def _known(value: float | None) -> float:
    assert value is not None  # noqa: S101 - a segment has at least one pair
    return value
