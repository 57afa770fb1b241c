"""The slices of a run with lower scores than elsewhere, one for each cause, found among many.

A *slice* is a set of answers that have something in common: a segment, a word of the question, a retrieved document.
The scores are shuffled among the answers many times, and each time the loss of every slice is added up (loss = 1 -
score). If the worst slice of a shuffle seldom reaches a slice's own loss, the slice is significant (the maximum
statistic of Westfall and Young 1993, "Resampling-Based Multiple Testing"). The shuffles preserve the overlaps of
slices, so a thousand nearly identical slices cost no more power than one.

Three things make the shuffles fair:

- Answers to one question stay together: whole questions trade places with questions with as many answers, and answers
  with answers to their own question.
- The mean of many claims varies less than that of one. So a score is shuffled as its distance from the run's mean in
  standard deviations for its number of claims m, from the variance a + b / m of m equally correlated claims.
- A small slice of scores near 1 has a skewed loss. Each slice's loss is brought to a normal scale by its mean, variance
  and skewness over the other shuffles (Wilson and Hilferty 1931), so small and large slices compete evenly.

The strongest slice is reported first. Then its answers are set aside and the search is repeated on the others, until no
slice is significant: answers that a slice shares with earlier ones count once, and a slice inside another is reported
only if it is lower than the rest of the run as well. In a run without any slice, the probability of reporting one is at
most 5%, however many slices are tested (`tests/performance/slices.py` measures it).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from faithview.domain.scoring import Interval
from faithview.stats.intervals import ALPHA, SEED, independent_difference
from faithview.stats.run_score import Cluster, mean_interval

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_LEAST_VARIANCE = 0.05  # of an answer with many claims, as a share of the variance of all
_NO_SKEW = 1e-3
_NO_SPREAD = 1e-9
_ROUNDING = 1e-4  # strengths that differ by less are equal: sums of the same scores in another order
_BLOCK = 125  # shuffles at a time, so they stay in the processor's cache


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceStrengths:
    """How far each slice is below the rest, as a normal deviate: 3 is about one in 740 for a single slice.

    `observed` has one value for each slice; `shuffled` one column for each shuffle; the first is the observed
    one. `adjusted` has the p-values adjusted for all slices (step-down, Westfall and Young 1993, 2.8).
    """

    observed: FloatArray
    shuffled: NDArray[np.float32]
    adjusted: FloatArray

    def critical(self, level: float) -> float:
        """Return the strength that a run without true slices reaches with probability 1 - level."""
        return float(np.quantile(self.shuffled.max(axis=0), level))


def slice_strengths(
    losses: FloatArray, claims: IntArray, questions: IntArray, members: Any, *, shuffles: int, seed: int
) -> SliceStrengths | None:
    """Return how far each slice is below the rest; None if all losses are the same or there are no slices.

    Args:
        losses: 1 - score of each answer, in [0, 1].
        claims: the number of claims in each score, from 1.
        questions: the question of each answer, as any numbers.
        members: a sparse matrix (slices x answers), 1 where the answer is in the slice.
        shuffles: the number of shuffles; the smallest p-value is 1 / (shuffles + 1).
        seed: the seed of the shuffles.
    """
    if not members.shape[0]:
        return None
    residuals = losses - losses.mean()
    if float(np.abs(residuals).max(initial=0.0)) < _NO_SPREAD:
        return None
    scale = deviations(residuals, claims)
    standard = residuals / scale
    rng = np.random.default_rng(seed)
    blocks = _blocks(questions)
    members = members.astype(np.float32)
    totals = np.empty((members.shape[0], shuffles + 1))
    totals[:, 0] = members @ residuals.astype(np.float32)
    for first in range(1, totals.shape[1], _BLOCK):
        columns = totals[:, first : first + _BLOCK]
        drawn = np.empty((columns.shape[1], len(losses)), dtype=np.float32)
        for row in drawn:
            row[:] = scale * standard[_shuffle(blocks, len(losses), rng)]
        drawn -= drawn.mean(axis=1, keepdims=True)  # each estimates its own mean, as the run does
        columns[:] = members @ np.ascontiguousarray(drawn.T)
    strengths = _on_normal_scale(totals)
    observed = strengths[:, 0].astype(np.float64)
    return SliceStrengths(observed=observed, shuffled=strengths, adjusted=_step_down(strengths))


def deviations(residuals: FloatArray, claims: IntArray) -> FloatArray:
    """Return the standard deviation of each answer's score from its number of claims m: the root of a + b / m.

    a and b are fitted to the squared residuals by least squares and are never negative.
    """
    squares, parts = residuals**2, 1.0 / np.maximum(claims, 1)
    floor, part = _fit_line(parts, squares)
    return np.asarray(np.sqrt(np.maximum(floor + part * parts, _LEAST_VARIANCE * squares.mean())))


def _fit_line(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Return the intercept and the slope that fit y best by least squares, neither of them negative.

    If the unconstrained best line has a negative part, the best allowed one has 0 there: only two are possible.
    """
    x_mean, y_mean = float(x.mean()), float(y.mean())
    spread = float(((x - x_mean) ** 2).sum())
    slope = float(((x - x_mean) * (y - y_mean)).sum()) / spread if spread > 0 else 0.0
    if slope <= 0:
        return y_mean, 0.0
    if slope * x_mean > y_mean:
        return 0.0, float(x @ y) / float(x @ x)
    return y_mean - slope * x_mean, slope


def _blocks(questions: IntArray) -> list[IntArray]:
    """Return the answers of the questions, one array (questions x answers) for each number of answers."""
    _, question = np.unique(questions, return_inverse=True)
    order = np.argsort(question, kind="stable")
    sizes = np.bincount(question)
    starts = np.cumsum(sizes) - sizes
    return [order[starts[sizes == size][:, np.newaxis] + np.arange(size)] for size in np.unique(sizes)]


def _shuffle(blocks: list[IntArray], answers: int, rng: np.random.Generator) -> IntArray:
    source = np.empty(answers, dtype=np.int64)
    for block in blocks:
        drawn = rng.permutation(block)
        source[block] = drawn if block.shape[1] == 1 else rng.permuted(drawn, axis=1)
    return source


def _on_normal_scale(totals: FloatArray) -> NDArray[np.float32]:
    """Bring each slice's totals to a normal scale by the mean, variance and skewness of the slice's other columns.

    The observed total is a column like any other: nothing distinguishes it from a shuffled one if there is no slice.
    """
    strengths = np.empty(totals.shape, dtype=np.float32)
    others = totals.shape[1] - 1
    # One slice at a time, so it stays in the processor's cache; products and roots are ten times faster than powers.
    for number, row in enumerate(totals):
        centred = row - row.mean()
        square = centred * centred
        cube = square * centred
        mean = centred / -others
        variance = np.maximum((square.sum() - square) / others - mean * mean, _NO_SPREAD)
        spread = np.sqrt(variance)
        third = (cube.sum() - cube) / others - mean * (3 * variance + mean * mean)
        skew = third / (variance * spread)
        deviate = (centred - mean) / spread
        is_skewed = np.abs(skew) > _NO_SKEW
        strengths[number] = np.where(is_skewed, from_skewed(deviate, np.where(is_skewed, skew, 1.0)), deviate)
    return strengths


def from_skewed(deviate: Any, skew: Any) -> Any:
    """Return the normal deviate of a standardised gamma variable of this skewness, not 0 (Wilson and Hilferty 1931)."""
    return 6 / skew * (np.cbrt(1 + skew * deviate / 2) - 1 + skew**2 / 36)


def to_skewed(normal: float, skew: float) -> float:
    """Return the standardised gamma variable with this skewness for a normal deviate: the inverse of `from_skewed`."""
    if abs(skew) < _NO_SKEW:
        return normal
    return float(2 / skew * ((normal * skew / 6 + 1 - skew**2 / 36) ** 3 - 1))


def _step_down(strengths: NDArray[np.float32]) -> FloatArray:
    """Return adjusted p-values: each slice competes with those that are not stronger than it."""
    order = np.argsort(-strengths[:, 0], kind="stable")
    strongest = np.maximum.accumulate(strengths[order[::-1]], axis=0)[::-1]
    reached = (strongest >= strongest[:, :1] - _ROUNDING).mean(axis=1)
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate(reached)
    return adjusted


_SHARES = (0.05, 0.1, 0.25)
_POWER_80 = 0.841621  # the 80% quantile of the normal distribution
_STEPS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticeable:
    """A slice of this many `questions` would be found in 80% of cases if its mean score were lower by `difference`.

    `difference` is in [0, 1]; None if even a slice of scores 0 would be missed more often.
    """

    questions: int
    difference: float | None


def noticeable_sizes(
    scores: FloatArray, questions: IntArray, *, critical: float, fewest: int
) -> tuple[Noticeable, ...]:
    """Return the detectable differences of slices with a 20th, a 10th and a quarter of the questions.

    Args:
        scores: the scores of answers outside the found slices.
        questions: the question of each, as any numbers.
        critical: the strength that a slice needs to be reported, as a normal deviate.
        fewest: the smallest slice tested, in questions.
    """
    _, question = np.unique(questions, return_inverse=True)
    means = np.bincount(question, scores) / np.bincount(question)
    sizes = sorted({max(fewest, round(share * len(means))) for share in _SHARES})
    return tuple(
        Noticeable(questions=size, difference=_noticeable(means, size, critical))
        for size in sizes
        if size <= len(means) - fewest
    )


def _noticeable(means: FloatArray, size: int, critical: float) -> float | None:
    number, mean, variance = len(means), float(means.mean()), float(means.var())
    if variance <= 0:
        return None
    share = size / number
    skew = -float(((means - mean) ** 3).mean()) / variance**1.5  # of the losses
    # The skewness of the sum of a simple random sample without replacement (Cochran 1977, "Sampling Techniques", 2.15).
    skew_of_sum = skew / math.sqrt(size) * (1 - 2 * share) / math.sqrt(1 - share)
    needed = to_skewed(critical, skew_of_sum) * math.sqrt(variance / size + variance / (number - size))
    # Inside the slice the scores vary as elsewhere, scaled to the variance that their mean allows.
    ratio = min(1.0, variance / max(mean * (1 - mean), 1e-9))
    difference = needed
    for _ in range(_STEPS):
        low = max(0.0, mean - difference)
        error = math.sqrt(ratio * low * (1 - low) / size + variance / (number - size))
        difference = needed + _POWER_80 * error
    return difference if difference <= mean else None


_SHUFFLES = 1_499  # a p of 0.05 is accurate to +-0.006
_MOST_SLICES = 8
_FEWEST_QUESTIONS = 8
_LEAST_SHARE, _MOST_FEWEST = 0.01, 50
# Two slices with at least this overlap (Jaccard's index) are called nearly the same.
_NEARLY_THE_SAME = 0.7
# A slice with at least this share of its answers in another is called part of it.
_WITHIN = 0.8
# A slice with a more natural description may replace a nearly identical one that is a little stronger.
_AS_STRONG = 0.9
_MOST_PARTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LowSlice:
    """A slice that scores lower than elsewhere.

    `number` is its row in the matrix of slices. `rows` are the answers that it counts: those of the slice that are in
    no earlier slice; `overlaps` names the earlier slices that contain the others. `mean` is their mean score and
    `elsewhere` that of the `elsewhere_answers` that are in neither it nor an earlier slice. `interval` is that of
    `difference`, mean - elsewhere, at 95% for all slices together, and `p_value` is adjusted in the same way: the
    interval is below 0 if the p-value is below 0.05. `parts` are other low slices that are within it, or nearly.
    """

    number: int
    rows: IntArray
    questions: int
    mean: float
    elsewhere: float
    elsewhere_answers: int
    difference: float
    interval: Interval
    p_value: float
    overlaps: tuple[int, ...]
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceSearch:
    """The result of a search. `tested` counts the tested slices and `fewest` is the size of the smallest, in questions.

    `noticeable` says by how much slices of some sizes must be lower to be found, among the answers outside the found
    slices.
    """

    answers: int
    questions: int
    tested: int
    fewest: int
    slices: tuple[LowSlice, ...]
    noticeable: tuple[Noticeable, ...]


def fewest_questions(questions: int) -> int:
    """Return the minimum number of questions of a tested slice, in a run of this many."""
    return max(_FEWEST_QUESTIONS, min(_MOST_FEWEST, math.ceil(_LEAST_SHARE * questions)))


def find_low_slices(
    scores: FloatArray,
    claims: IntArray,
    questions: IntArray,
    members: Any,
    *,
    naturalness: Sequence[int] | None = None,
    shuffles: int = _SHUFFLES,
    seed: int = SEED,
) -> SliceSearch:
    """Find the slices that score lower than elsewhere.

    Args:
        scores: the score of each answer, in [0, 1].
        claims: the number of claims in each score.
        questions: the question of each answer, as any numbers: answers to one question are one unit.
        members: a sparse matrix (slices x answers), 1 where the answer is in the slice.
        naturalness: a number for each slice: of nearly identical, equally strong ones the lowest is reported.
        shuffles: how often the scores are shuffled for each reported slice.
        seed: the seed of all draws.

    Raises:
        ValueError: the arguments differ in length, or a score is not in [0, 1].
    """
    scores = np.asarray(scores, dtype=np.float64)
    if not len(scores) == len(claims) == len(questions) == members.shape[1]:
        raise ValueError(
            f"{len(scores)} scores, {len(claims)} numbers of claims, {len(questions)} questions and slices of "
            f"{members.shape[1]} answers: give one of each per answer."
        )
    if not ((scores >= 0) & (scores <= 1)).all():
        raise ValueError("Scores must be in [0, 1]. Leave out answers without one.")
    asked, question = np.unique(questions, return_inverse=True)
    fewest = fewest_questions(len(asked))
    search = _Search(scores, np.asarray(claims), question, members.tocsr().astype(bool), fewest, naturalness)
    left = np.arange(len(scores))
    found: list[LowSlice] = []
    tested = 0
    while True:
        numbers = search.eligible(left)
        part = search.members[numbers][:, left]
        strengths = slice_strengths(
            1 - scores[left], search.claims[left], question[left], part, shuffles=shuffles, seed=seed + len(found)
        )
        tested = tested or len(numbers)
        if strengths is None or strengths.adjusted.min() >= ALPHA or len(found) == _MOST_SLICES:
            break
        low = search.report(strengths, numbers, left, found)
        found.append(low)
        left = np.setdiff1d(left, low.rows)
    return SliceSearch(
        answers=len(scores),
        questions=len(asked),
        tested=tested,
        fewest=fewest,
        slices=tuple(found),
        noticeable=()
        if strengths is None
        else noticeable_sizes(scores[left], question[left], critical=strengths.critical(1 - ALPHA), fewest=fewest),
    )


class _Search:
    def __init__(
        self,
        scores: FloatArray,
        claims: IntArray,
        question: IntArray,
        members: Any,
        fewest: int,
        naturalness: Sequence[int] | None,
    ) -> None:
        self.scores, self.claims, self.question, self.members, self.fewest = scores, claims, question, members, fewest
        self._naturalness = np.zeros(members.shape[0], np.int64) if naturalness is None else np.asarray(naturalness)

    def eligible(self, left: IntArray) -> IntArray:
        """Return the slices with enough questions among the remaining answers, both inside and outside."""
        inside = _count_questions(self.members[:, left], self.question[left])
        outside = len(np.unique(self.question[left])) - inside
        return np.flatnonzero((inside >= self.fewest) & (outside >= self.fewest))

    def report(
        self, strengths: SliceStrengths, numbers: IntArray, left: IntArray, earlier: Sequence[LowSlice]
    ) -> LowSlice:
        part = self.members[numbers][:, left]
        best = self._most_natural(part, numbers, strengths)
        inside = np.zeros(len(left), dtype=bool)
        inside[part[[best]].indices] = True
        rows, others = left[inside], left[~inside]
        mean, elsewhere = float(self.scores[rows].mean()), float(self.scores[others].mean())
        whole = self.members[[numbers[best]]].indices
        return LowSlice(
            number=int(numbers[best]),
            rows=rows,
            questions=len(np.unique(self.question[rows])),
            mean=mean,
            elsewhere=elsewhere,
            elsewhere_answers=len(others),
            difference=mean - elsewhere,
            interval=self._interval(rows, others, mean, elsewhere, critical=strengths.critical(1 - ALPHA)),
            p_value=float(strengths.adjusted[best]),
            overlaps=tuple(low.number for low in earlier if np.isin(whole, low.rows).any()),
            parts=tuple(int(numbers[at]) for at in _slices_within(part, best, strengths)),
        )

    def _most_natural(self, part: Any, numbers: IntArray, strengths: SliceStrengths) -> int:
        """Return the strongest slice, or one about as strong that contains it, or that describes it better."""
        strongest = int(np.argmax(strengths.observed))
        is_strong = (strengths.adjusted < ALPHA) & (strengths.observed >= _AS_STRONG * strengths.observed[strongest])
        # The whole of a cause is preferred: reporting a part would leave the rest to be reported as another slice.
        shared, sizes = _shared(part, strongest)
        holders = np.flatnonzero(is_strong & (shared >= _WITHIN * sizes[strongest]))
        whole = int(holders[np.argmax(sizes[holders])])
        shared, sizes = _shared(part, whole)
        is_alike = shared / (sizes + sizes[whole] - shared) >= _NEARLY_THE_SAME
        candidates = np.flatnonzero(is_strong & is_alike).tolist()
        return min(candidates, key=lambda at: (self._naturalness[numbers[at]], -strengths.observed[at]))

    def _interval(
        self, rows: IntArray, others: IntArray, mean: float, elsewhere: float, *, critical: float
    ) -> Interval:
        """Return the interval of the difference at the level at which a single slice is as strong as `critical`."""
        level = math.erf(critical / math.sqrt(2))
        inside, outside = (mean_interval(self._clusters(part), level=level) for part in (rows, others))
        assert inside is not None  # noqa: S101 - `eligible` lets no smaller slice in
        assert outside is not None  # noqa: S101 - nor one that leaves fewer questions outside
        interval = independent_difference(mean, inside, elsewhere, outside)
        # The test has excluded 0; if these limits are wider than the test implies, they end there.
        return Interval(interval.low, min(0.0, interval.high))

    def _clusters(self, rows: IntArray) -> list[Cluster]:
        _, question = np.unique(self.question[rows], return_inverse=True)
        sizes, totals = np.bincount(question), np.bincount(question, self.scores[rows])
        return [Cluster(answers=int(size), total=float(total)) for size, total in zip(sizes, totals, strict=True)]


def _slices_within(part: Any, whole: int, strengths: SliceStrengths) -> list[int]:
    """Return the strongest significant slices that are within another, or nearly."""
    shared, sizes = _shared(part, whole)
    is_within = (shared >= _WITHIN * sizes) & (strengths.adjusted < ALPHA)
    is_within[whole] = False
    within = np.flatnonzero(is_within).tolist()
    return sorted(within, key=lambda at: float(-strengths.observed[at]))[:_MOST_PARTS]


def _shared(members: Any, one: int) -> tuple[IntArray, IntArray]:
    """Return how many answers each slice shares with slice `one`, and how many it has."""
    counts = members.astype(np.int64)
    return np.asarray((counts @ counts[[one]].T).todense()).ravel(), np.asarray(counts.sum(axis=1)).ravel()


def _count_questions(members: Any, question: IntArray) -> IntArray:
    """Return in how many questions each slice has an answer."""
    from scipy.sparse import csr_array  # here, so `import faithview` stays quick

    if not len(question):
        return np.zeros(members.shape[0], dtype=np.int64)
    of_question = csr_array((np.ones(len(question)), (np.arange(len(question)), question)))
    return np.asarray(((members.astype(np.float64) @ of_question) > 0).sum(axis=1)).ravel()
