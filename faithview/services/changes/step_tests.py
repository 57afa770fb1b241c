"""How two points of a trend are compared: on their pairs where the runs share questions, as Compare does.

A comparison reads texts and matches claims, which takes too long for every step of 200 runs. So answers are paired here
from ids and questions alone; only where that is not enough (several answers to one question, ids whose questions
changed, pairs that people chose) the comparison's own pairing is asked. The pairs and the test of their scores are the
comparison's, and so are the figures.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from faithview.domain import content_hashes
from faithview.domain.comparison import PairRule
from faithview.domain.run import Run, RunSummary
from faithview.domain.series import SHARED_QUESTIONS
from faithview.domain.trend import Grouping, TrendLine, TrendPoint
from faithview.domain.views import View
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.pairing import pair_runs
from faithview.services.container import Services
from faithview.services.results.runs import get_run
from faithview.stats import paired
from faithview.stats.difference_interval import standard_error
from faithview.stats.segment_shares import SegmentShare, leading_segments
from faithview.stats.trend_steps import LEAST_QUESTIONS, StepTest, independent_step
from faithview.store.comparison import pair_decisions
from faithview.store.runs import revisions
from faithview.store.runs.revisions import Revision
from faithview.store.trends.scored_rows import ScoredRow, list_chosen_pairs, list_scored_rows

_READ_AT_ONCE = 32  # runs
_LEAST_P = 1e-3  # below it the test's random signs are too few to tell p
_NO_CHANGE = 1e-9

_Segment = tuple[str | None] | None  # a segment in a tuple, None for all answers


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPairs:
    """The answers that two runs have in common.

    `by_id` counts the pairs with equal ids and `rows` the answers of the larger run. `before`, `after`, `question` and
    `segments` are of the pairs that have a score on both sides.
    """

    by_id: int
    pairs: int
    rows: int
    before: paired.FloatArray
    after: paired.FloatArray
    question: paired.IntArray
    segments: tuple[str | None, ...]
    _found: dict[_Segment, StepTest | None] = field(default_factory=dict, compare=False, repr=False)

    @property
    def share_questions(self) -> bool:
        """Whether at least half of the larger run's answers are in both."""
        return self.rows > 0 and self.pairs >= SHARED_QUESTIONS * self.rows

    def quick_test(self, segment: _Segment) -> StepTest | None:
        """Return the test with the normal distribution in place of the random signs; None below 20 questions."""
        chosen = self._positions(segment)
        question = np.unique(self.question[chosen], return_inverse=True)[1]
        if not len(chosen) or (number := int(question.max()) + 1) < LEAST_QUESTIONS:
            return None
        change: paired.FloatArray = self.after[chosen] - self.before[chosen]
        change[np.abs(change) < _NO_CHANGE] = 0.0
        sums = _sums(question, change)
        error = standard_error(sums, np.bincount(question, minlength=number).astype(np.float64))
        z = _signs_z(sums)
        return StepTest(
            delta=float(change.mean()),
            p_value=math.erfc(z / math.sqrt(2)),
            error=error if error > _NO_CHANGE else None,
            pairs=len(chosen),
            exact=partial(self.test, segment),
        )

    def test(self, segment: _Segment) -> StepTest | None:
        """Return the comparison's own test; it is worked out once."""
        if segment not in self._found:
            self._found[segment] = self._test(segment)
        return self._found[segment]

    def _test(self, segment: _Segment) -> StepTest | None:
        quick, chosen = self.quick_test(segment), self._positions(segment)
        if quick is None:
            return None
        found = paired.compare_pairs(self.before[chosen], self.after[chosen], self.question[chosen])
        if found.mean is None or found.p_value is None:
            return None
        # Hoeffding's bound (1963) on a sum with random signs: among many steps smaller p-values are needed than 10,000
        # draws of signs can give.
        z = _signs_z(_sums(self.question[chosen], self.after[chosen] - self.before[chosen]))
        bound = 2 * math.exp(-z * z / 2) if found.p_value < _LEAST_P else None
        return replace(quick, delta=found.mean, p_value=found.p_value, bound=bound, exact=None)

    def leading_segments(self) -> tuple[SegmentShare, ...]:
        """Return the segments with more of the change than of the answers, as the comparison names them."""
        return leading_segments(self.segments, self.after - self.before, self.question)

    def _positions(self, segment: _Segment) -> paired.IntArray:
        if segment is None:
            return np.arange(len(self.segments))
        return np.array([at for at, own in enumerate(self.segments) if own == segment[0]], dtype=np.int64)


class StepTests:
    """Compares points of lines; call it with a line and two of its points.

    Points of one run each are compared on the runs' pairs if these share questions, all other points by their own
    intervals. Pairs are cached until one of the runs or its labels change.
    """

    def __init__(self, services: Services, lines: Sequence[TrendLine]) -> None:
        self._services = services
        ids = list(dict.fromkeys(run_id for line in lines for point in line.points for run_id in point.run_ids))
        self._order = ids
        self._revisions: Mapping[str, Revision] = revisions.list_revisions(services.db, ids)
        self._choices = list_chosen_pairs(services.db) if ids else {}
        self._rows: dict[tuple[str, View], Sequence[ScoredRow]] = {}

    def __call__(self, line: TrendLine, before: TrendPoint, after: TrendPoint) -> StepTest | None:
        """Return the test of the difference of two points; None where it cannot be tested."""
        segment = (line.group,) if line.grouping is Grouping.SEGMENT else None
        pairs = self.pairs_of(line, before, after)
        if pairs is None:
            return independent_step(line, before, after)
        if pairs.share_questions and all(self._is_whole(point, line.view, segment) for point in (before, after)):
            test = pairs.quick_test(segment)
            if test is None or line.view is not View.REVIEWED:
                return test
            return replace(test, exact=partial(self._under_labels, before, after, segment, test))
        return independent_step(
            line,
            replace(before, questions=self._questions(before, line.view, segment)),
            replace(after, questions=self._questions(after, line.view, segment)),
        )

    def pairs_of(self, line: TrendLine, before: TrendPoint, after: TrendPoint) -> RunPairs | None:
        """Return what two points of one run each have in common; None for other points and for runs that are gone."""
        if len(before.run_ids) != 1 or len(after.run_ids) != 1:
            return None
        view = View.REVIEWED if line.view is View.CORRECTED else line.view
        ids = (before.run_ids[0], after.run_ids[0])
        if any(run_id not in self._revisions for run_id in ids):
            return None
        state = (self._revisions[ids[0]], self._revisions[ids[1]], self._choices.get(ids, 0))
        return self._services.pair_cache.get("pairs", (*ids, view), state, partial(self._find_pairs, *ids, view))

    def _under_labels(
        self, before: TrendPoint, after: TrendPoint, segment: _Segment, quick: StepTest
    ) -> StepTest | None:
        """Return the reviewed comparison's test: it knows whether labels alone may have made the difference."""
        found = compare_runs(self._services, before.run_ids[0], after.run_ids[0], view=View.REVIEWED)
        difference, p_value = found.difference.mean, found.difference.p_value
        if segment is not None:
            part = next((part for part in found.segments if part.segment == segment[0]), None)
            difference, p_value = (None, None) if part is None else (part.difference, part.p_value)
        if difference is None or p_value is None:
            return None
        return replace(quick, delta=difference, p_value=p_value, bound=None, exact=None)

    def _is_whole(self, point: TrendPoint, view: View, segment: _Segment) -> bool:
        """Return whether a point has all answers of its run: a day, week or month may have some of them."""
        return point.end is None or point.judged == len(self._scored(point, view, segment))

    def _questions(self, point: TrendPoint, view: View, segment: _Segment) -> int:
        return len({row.cluster for row in self._scored(point, view, segment)})

    def _scored(self, point: TrendPoint, view: View, segment: _Segment) -> list[ScoredRow]:
        rows = self._load(point.run_ids[0], View.REVIEWED if view is View.CORRECTED else view)
        return [row for row in rows if row.score is not None and (segment is None or row.segment == segment[0])]

    def _find_pairs(self, before_id: str, after_id: str, view: View) -> RunPairs:
        before, after = self._load(before_id, view), self._load(after_id, view)
        matched = None if (before_id, after_id) in self._choices else _match(before, after)
        if matched is not None:
            return _pairs_of(matched, rows=max(len(before), len(after)))
        services = self._services
        runs: list[Run] = [get_run(services, run_id) for run_id in (before_id, after_id)]
        decisions = pair_decisions.list_decisions(services.db, before_id, after_id)
        found = pair_runs(services.db, *runs, view=view, decisions=decisions)
        left, right = ({row.row: row for row in rows} for rows in (before, after))
        matched = [(left[pair.before.row], right[pair.after.row], pair.rule) for pair in found.pairs]
        return _pairs_of(matched, rows=max(len(before), len(after)))

    def _load(self, run_id: str, view: View) -> Sequence[ScoredRow]:
        """Return a run's rows; those of the runs after it are read with them, since they are asked for next."""
        if (run_id, view) not in self._rows:
            at = self._order.index(run_id)
            wanted = [r for r in self._order[at : at + _READ_AT_ONCE] if (r, view) not in self._rows]
            for own, rows in list_scored_rows(self._services.db, wanted, view=view).items():
                self._rows[own, view] = rows
        return self._rows[run_id, view]


def find_step(services: Services, before: RunSummary, after: RunSummary, *, view: View) -> StepTest | None:
    """Return the test of the difference of two runs' scores, as a trend tests it; None where it cannot be tested."""
    points = tuple(
        TrendPoint(
            at=summary.run.as_of,
            mean=summary.score.mean,
            interval=summary.score.interval,
            judged=summary.score.judged,
            rows=summary.rows,
            left_out={},
            run_ids=(summary.run.run_id,),
        )
        for summary in (before, after)
        if summary.score.mean is not None
    )
    if len(points) < 2:
        return None
    line = TrendLine(group="", fingerprint=after.run.fingerprint, judge=after.run.judge, view=view, points=points)
    test = StepTests(services, [line])(line, *points)
    return test.exact() if test is not None and test.exact is not None else test


_Matched = tuple[ScoredRow, ScoredRow, PairRule]


def _match(before: Sequence[ScoredRow], after: Sequence[ScoredRow]) -> list[_Matched] | None:
    """Pair rows by id, then by question; None where only their texts tell which belong together."""
    by_key = {row.key: row for row in after if row.has_own_key}
    matched: list[_Matched] = []
    left: list[ScoredRow] = []
    for row in before:
        other = by_key.get(row.key) if row.has_own_key else None
        if other is None:
            left.append(row)
        elif other.cluster != row.cluster:
            return None
        else:
            matched.append((row, other, PairRule.KEY))
    taken = {other.row for _, other, _ in matched}
    right = [row for row in after if row.row not in taken]
    if not left or not right:
        return matched
    by_question = {row.cluster: row for row in right}
    is_once = len(by_question) == len(right) and len({row.cluster for row in left}) == len(left)
    if not is_once or not all(map(_has_question, (*left, *right))):
        return None
    shared = [(row, by_question[row.cluster], PairRule.QUESTION) for row in left if row.cluster in by_question]
    return [*matched, *shared]


def _has_question(row: ScoredRow) -> bool:
    return row.cluster != content_hashes.position_hash(row.row)


def _pairs_of(matched: Sequence[_Matched], *, rows: int) -> RunPairs:
    scored = [(a, b) for a, b, _ in matched if a.score is not None and b.score is not None]
    scored.sort(key=lambda pair: pair[0].row)
    numbers: dict[str, int] = {}
    scores = np.array([(a.score, b.score) for a, b in scored], dtype=np.float64).reshape(-1, 2)
    return RunPairs(
        by_id=sum(rule in (PairRule.KEY, PairRule.EXTERNAL_ID) for _, _, rule in matched),
        pairs=len(matched),
        rows=rows,
        before=scores[:, 0],
        after=scores[:, 1],
        question=np.array([numbers.setdefault(a.cluster, len(numbers)) for a, _ in scored], dtype=np.int64),
        segments=tuple(b.segment if b.segment is not None else a.segment for a, b in scored),
    )


def _sums(question: paired.IntArray, change: paired.FloatArray) -> paired.FloatArray:
    return np.bincount(question, change).astype(np.float64)


def _signs_z(sums: paired.FloatArray) -> float:
    """Return how many standard deviations the sum is from zero if each question's sign were random."""
    spread = math.sqrt(float(sums @ sums))
    return abs(math.fsum(sums)) / spread if spread > _NO_CHANGE else 0.0
