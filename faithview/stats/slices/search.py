"""The slices of a run in which scores are lower than elsewhere, one for each cause.

The strongest slice is reported first. Then its answers are set aside and the search begins anew on the others, until no
slice is more than chance: what a slice shares with those before it counts once, and a slice inside another is reported
only if it is lower than the rest of the run too. A run without any slice is reported to have one with a chance of at
most 5 %, whatever the number of slices looked at (see `shuffled_scores`; `tests/performance/slices.py` measures it).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from faithview.domain.scoring import Interval
from faithview.stats.conventions import ALPHA, SEED
from faithview.stats.independent_difference import independent_difference
from faithview.stats.run_score import Cluster, mean_interval
from faithview.stats.slices.noticeable import Noticeable, noticeable_sizes
from faithview.stats.slices.shuffled_scores import FloatArray, IntArray, SliceStrengths, slice_strengths

_SHUFFLES = 1_499  # a p of 0.05 is known to +-0.006
_MOST_SLICES = 8
_FEWEST_QUESTIONS = 8
_LEAST_SHARE, _MOST_FEWEST = 0.01, 50
# Two slices that share so much of what either has (Jaccard's index) are called nearly the same.
_NEARLY_THE_SAME = 0.7
# And a slice with at least so much of its answers in another is called part of it.
_WITHIN = 0.8
# A slice whose description is more natural may stand for a nearly identical one that is a little stronger.
_AS_STRONG = 0.9
_MOST_PARTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LowSlice:
    """A slice that scores lower than elsewhere.

    `number` is its row in the matrix of slices. `rows` are the answers that it counts: those of the slice which are in
    no slice before it; `overlaps` names the slices before it that hold the others. `mean` is their mean score and
    `elsewhere` that of the `elsewhere_answers` which are in neither it nor a slice before it. `interval` is of
    `difference`, mean - elsewhere, at 95 % for all slices together, and `p_value` allows for all of them likewise: the
    interval is below 0 as the p-value is below 0.05. `parts` are other low slices that lie within it, or nearly.
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
    """What a search found. `tested` counts the slices looked at and `fewest` is the smallest, in questions.

    `noticeable` says how much lower slices of some sizes would have to be to be found, among the answers that are in no
    slice found.
    """

    answers: int
    questions: int
    tested: int
    fewest: int
    slices: tuple[LowSlice, ...]
    noticeable: tuple[Noticeable, ...]


def fewest_questions(questions: int) -> int:
    """Return how many questions a slice needs to be looked at, in a run of so many."""
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
        scores: of each answer, in [0, 1].
        claims: how many claims each score is the mean of.
        questions: the question of each answer, as any numbers: answers to one question are one unit.
        members: a sparse matrix (slices x answers), 1 where the answer is in the slice.
        naturalness: of each slice: of nearly identical ones that are about as strong the lowest number is reported.
        shuffles: how often the scores are shuffled for each slice reported.
        seed: of all draws.

    Raises:
        ValueError: the arguments differ in length, or a score is not in [0, 1].
    """
    scores = np.asarray(scores, dtype=np.float64)
    if not len(scores) == len(claims) == len(questions) == members.shape[1]:
        raise ValueError(
            f"{len(scores)} scores, {len(claims)} numbers of claims, {len(questions)} questions and slices of "
            f"{members.shape[1]} answers: give one of each for every answer."
        )
    if not ((scores >= 0) & (scores <= 1)).all():
        raise ValueError("Scores lie in [0, 1]. Leave out answers without one.")
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
        """Return the slices with enough questions among the answers that are left, both inside and outside."""
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
            parts=tuple(int(numbers[at]) for at in _parts(part, best, strengths)),
        )

    def _most_natural(self, part: Any, numbers: IntArray, strengths: SliceStrengths) -> int:
        """Return the strongest slice, or one about as strong that holds it and more, or that describes it better."""
        strongest = int(np.argmax(strengths.observed))
        is_strong = (strengths.adjusted < ALPHA) & (strengths.observed >= _AS_STRONG * strengths.observed[strongest])
        # The whole of a cause rather than a part of it, which would leave the rest to be reported as another slice.
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
        """Return the interval of the difference at the level at which one slice alone is as strong as `critical`."""
        level = math.erf(critical / math.sqrt(2))
        inside, outside = (mean_interval(self._clusters(part), level=level) for part in (rows, others))
        assert inside is not None  # noqa: S101 - `eligible` lets no smaller slice in
        assert outside is not None  # noqa: S101 - nor one that leaves fewer questions outside
        interval = independent_difference(mean, inside, elsewhere, outside)
        # The test has excluded 0; where these limits are less sure than it, they end there.
        return Interval(interval.low, min(0.0, interval.high))

    def _clusters(self, rows: IntArray) -> list[Cluster]:
        _, question = np.unique(self.question[rows], return_inverse=True)
        sizes, totals = np.bincount(question), np.bincount(question, self.scores[rows])
        return [Cluster(answers=int(size), total=float(total)) for size, total in zip(sizes, totals, strict=True)]


def _parts(part: Any, whole: int, strengths: SliceStrengths) -> list[int]:
    """Return the strongest significant slices that lie within another, or nearly."""
    shared, sizes = _shared(part, whole)
    is_within = (shared >= _WITHIN * sizes) & (strengths.adjusted < ALPHA)
    is_within[whole] = False
    within = np.flatnonzero(is_within).tolist()
    return sorted(within, key=lambda at: float(-strengths.observed[at]))[:_MOST_PARTS]


def _shared(members: Any, one: int) -> tuple[IntArray, IntArray]:
    """Return how many answers each slice shares with one of them, and how many it has."""
    counts = members.astype(np.int64)
    return np.asarray((counts @ counts[[one]].T).todense()).ravel(), np.asarray(counts.sum(axis=1)).ravel()


def _count_questions(members: Any, question: IntArray) -> IntArray:
    """Return in how many questions each slice has an answer."""
    from scipy.sparse import csr_array  # here, so that `import faithview` stays quick

    if not len(question):
        return np.zeros(members.shape[0], dtype=np.int64)
    of_question = csr_array((np.ones(len(question)), (np.arange(len(question)), question)))
    return np.asarray(((members.astype(np.float64) @ of_question) > 0).sum(axis=1)).ravel()
