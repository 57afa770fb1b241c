"""Level changes of a trend: the last significant fall or rise, its cause, its segments, and whether it recovered.

Two points are compared on their pairs if the runs share questions, as on Changes. A full comparison reads texts and
matches claims, which takes too long for every step of 200 runs, so answers are paired here by ids and questions alone.
If that is not enough (several answers to one question, ids whose questions changed, pairs chosen by users), the
comparison's own pairing is used. Pairs, test and figures equal those of the comparison.

"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

import numpy as np

from faithview.domain import content_hashes
from faithview.domain.answer import View
from faithview.domain.comparison import PairRule
from faithview.domain.event import Event
from faithview.domain.run import Run, RunSummary
from faithview.domain.series import SHARED_QUESTIONS
from faithview.domain.trend import Contribution, Grouping, Trend, TrendLine, TrendPoint, contributions
from faithview.services.comparison.changes import pair_runs
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import SEGMENT_ALPHA
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.stats import paired
from faithview.stats.decomposition import SegmentShare, leading_segments
from faithview.stats.difference_interval import standard_error
from faithview.stats.trend_steps import (
    LEAST_QUESTIONS,
    LineTests,
    StepTest,
    TrendStep,
    independent_step,
    line_tests,
    step_of,
)
from faithview.store import comparisons, revisions
from faithview.store.revisions import Revision
from faithview.store.trends import ScoredRow, list_chosen_pairs, list_scored_rows

_READ_AT_ONCE = 32  # runs
_LEAST_P = 1e-3  # below it the test draws too few random signs to estimate p
_NO_CHANGE = 1e-9

_Segment = tuple[str | None] | None  # a segment in a tuple, None for all answers


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPairs:
    """The answers that two runs have in common.

    `by_id` counts the pairs with equal ids and `rows` the answers of the larger run. `before`, `after`, `question` and
    `segments` describe the pairs with a score on both sides.
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
        """Return the test with the normal distribution in place of random signs; None below 20 questions."""
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
        """Return the comparison's own test; it is computed once."""
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
        # Hoeffding's bound (1963) on a sum with random signs: many steps need smaller p-values than 10,000 draws of
        # signs can give.
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

    Points of one run each are compared on pairs if the runs share questions, all other points by their own intervals.
    Pairs are cached until one of the runs or its labels change.
    """

    def __init__(self, store: Store, lines: Sequence[TrendLine]) -> None:
        self._store = store
        ids = list(dict.fromkeys(run_id for line in lines for point in line.points for run_id in point.run_ids))
        self._order = ids
        self._revisions: Mapping[str, Revision] = revisions.list_revisions(store.db, ids)
        self._choices = list_chosen_pairs(store.db) if ids else {}
        self._rows: dict[tuple[str, View], Sequence[ScoredRow]] = {}

    def __call__(self, line: TrendLine, before: TrendPoint, after: TrendPoint) -> StepTest | None:
        """Return the test of the difference of two points; None if not testable."""
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
        """Return the pairs of two points of one run each; None for other points and for deleted runs."""
        if len(before.run_ids) != 1 or len(after.run_ids) != 1:
            return None
        view = View.REVIEWED if line.view is View.CORRECTED else line.view
        ids = (before.run_ids[0], after.run_ids[0])
        if any(run_id not in self._revisions for run_id in ids):
            return None
        state = (self._revisions[ids[0]], self._revisions[ids[1]], self._choices.get(ids, 0))
        return self._store.pair_cache.get("pairs", (*ids, view), state, partial(self._find_pairs, *ids, view))

    def _under_labels(
        self, before: TrendPoint, after: TrendPoint, segment: _Segment, quick: StepTest
    ) -> StepTest | None:
        """Return the reviewed comparison's test, which knows whether labels alone may cause the difference."""
        found = compare_runs(self._store, before.run_ids[0], after.run_ids[0], view=View.REVIEWED)
        difference, p_value = found.difference.mean, found.difference.p_value
        if segment is not None:
            part = next((part for part in found.segments if part.segment == segment[0]), None)
            difference, p_value = (None, None) if part is None else (part.difference, part.p_value)
        if difference is None or p_value is None:
            return None
        return replace(quick, delta=difference, p_value=p_value, bound=None, exact=None)

    def _is_whole(self, point: TrendPoint, view: View, segment: _Segment) -> bool:
        """Return whether a point has all answers of its run; a day, week or month may have only some."""
        return point.end is None or point.judged == len(self._scored(point, view, segment))

    def _questions(self, point: TrendPoint, view: View, segment: _Segment) -> int:
        return len({row.cluster for row in self._scored(point, view, segment)})

    def _scored(self, point: TrendPoint, view: View, segment: _Segment) -> list[ScoredRow]:
        rows = self._load(point.run_ids[0], View.REVIEWED if view is View.CORRECTED else view)
        return [row for row in rows if row.score is not None and (segment is None or row.segment == segment[0])]

    def _find_pairs(self, before_id: str, after_id: str, view: View) -> RunPairs:
        before, after = self._load(before_id, view), self._load(after_id, view)
        matched = None if (before_id, after_id) in self._choices else _pair_rows(before, after)
        if matched is not None:
            return _pairs_of(matched, rows=max(len(before), len(after)))
        store = self._store
        runs: list[Run] = [get_run(store, run_id) for run_id in (before_id, after_id)]
        decisions = comparisons.list_decisions(store.db, before_id, after_id)
        found = pair_runs(store.db, *runs, view=view, decisions=decisions)
        left, right = ({row.row: row for row in rows} for rows in (before, after))
        matched = [(left[pair.before.row], right[pair.after.row], pair.rule) for pair in found.pairs]
        return _pairs_of(matched, rows=max(len(before), len(after)))

    def _load(self, run_id: str, view: View) -> Sequence[ScoredRow]:
        """Return a run's rows; those of the next runs are read with them, because they are needed next."""
        if (run_id, view) not in self._rows:
            at = self._order.index(run_id)
            wanted = [r for r in self._order[at : at + _READ_AT_ONCE] if (r, view) not in self._rows]
            for own, rows in list_scored_rows(self._store.db, wanted, view=view).items():
                self._rows[own, view] = rows
        return self._rows[run_id, view]


def find_step(store: Store, before: RunSummary, after: RunSummary, *, view: View) -> StepTest | None:
    """Return the test of the difference of two runs' scores, as in a trend; None if not testable."""
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
    test = StepTests(store, [line])(line, *points)
    return test.exact() if test is not None and test.exact is not None else test


_Matched = tuple[ScoredRow, ScoredRow, PairRule]


def _pair_rows(before: Sequence[ScoredRow], after: Sequence[ScoredRow]) -> list[_Matched] | None:
    """Pair rows by id, then by question; None if only their texts can decide."""
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


_NEWS = 5  # points: an older fall without a later event is no longer news
_RECOVERED = 0.5  # the minimum share of the loss that a recovery makes up
# The minimum share of the answers that must be the same, by their ids, for an event to be named as the cause.
_PAIRED_BY_ID = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelChange:
    """A significant step of a line, and what is known about it.

    `segment` is None if the whole moved. `is_drift` says that the step is from the first point to the last, because no
    single one is significant. `recovery` is the step from the low point of a fall to the point of recovery, None while
    there is none; `has_relapsed` says that the newest point is low again. `newest` is the line's newest point.

    `event` is the cause, None if unknown; `events_between` are all events between the two points. An event is named as
    the cause only if it is the only one, the two runs name different versions of the knowledge base, and at least 80%
    of the larger run's answers are in both by their ids.

    `places` are the segments whose share of the change is larger than their share of the answers. `others` are changes
    of other segments between the same points. If the two points are not compared on pairs, `shared` counts the answers
    in both and `answers` those of the larger run; None if unknown.
    """

    step: TrendStep
    newest: TrendPoint
    segment: str | None
    recovery: TrendStep | None
    event: Event | None
    recovery_event: Event | None
    places: tuple[SegmentShare, ...] = ()
    others: tuple[tuple[str | None, TrendStep], ...] = ()
    is_drift: bool = False
    has_relapsed: bool = False
    events_between: tuple[Event, ...] = ()
    shared: int | None = None
    answers: int | None = None

    @property
    def baseline_id(self) -> str:
        """The last run before the step."""
        return self.step.before.run_ids[-1]

    @property
    def candidate_id(self) -> str:
        """The first run after the step."""
        return self.step.after.run_ids[0]

    @property
    def is_open_fall(self) -> bool:
        """Whether it is a fall from which the newest point has not recovered."""
        return self.step.delta < 0 and (self.recovery is None or self.has_relapsed)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendFinding:
    """The finding on a trend: `line` is the main line, None without any point.

    `level_change` is the first that exists of: the last fall of the whole line, its last rise, its drift, a change of a
    segment. It is None if nothing is significant. `tests` are the tests of the whole line.
    """

    line: TrendLine | None
    level_change: LevelChange | None
    tests: LineTests | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A real step, with its recovery if it is a fall that has one."""

    line: TrendLine
    step: TrendStep
    recovery: TrendStep | None = None
    has_relapsed: bool = False
    is_drift: bool = False

    @property
    def is_open_fall(self) -> bool:
        return self.step.delta < 0 and (self.recovery is None or self.has_relapsed)

    @property
    def news_at(self) -> datetime:
        """When it last became news: at the step, or at a recovery that did not last."""
        is_undone = self.recovery is not None and self.has_relapsed
        return self.recovery.after.at if is_undone and self.recovery is not None else self.step.after.at


class _Search:
    """Looks for changes in a trend's main line and its segments."""

    def __init__(self, store: Store, whole: Trend, by_segment: Trend, events: Sequence[Event], view: View):
        self._store = store
        self._events = events
        lines = whole.of_view(view)
        self.line = lines[0] if lines else None
        self.segments = [
            line
            for line in by_segment.of_view(view)
            if self.line is not None and line.fingerprint == self.line.fingerprint
        ]
        self._tester = StepTests(store, [self.line] if self.line else [])

    def whole_tests(self) -> LineTests | None:
        return None if self.line is None else line_tests([self.line], self._tester, with_drift=True)[0]

    def in_whole(self, tests: LineTests) -> _Found | None:
        """Return the last real fall of the main line, or its last real rise, or its drift."""
        assert self.line is not None  # noqa: S101 - it has tests
        found = self._last_change(self.line, [step for step in tests.steps if step.is_real])
        if found is None and tests.drift is not None and tests.drift.is_real:
            return _Found(line=self.line, step=tests.drift, is_drift=True)
        return found

    def in_segments(self) -> list[_Found]:
        """Return the last change of each segment, if any; the segments' steps are tested together."""
        named = [line for line in self.segments if line.group is not None]
        tests = line_tests(named, self._tester)
        found = [
            self._last_change(line, [step for step in own.steps if step.adjusted < SEGMENT_ALPHA])
            for line, own in zip(named, tests, strict=True)
        ]
        return [one for one in found if one is not None]

    def describe(self, found: _Found, *, others: Sequence[_Found] = ()) -> LevelChange:
        """Return a change with all details; `others` are changes that may be between the same points."""
        segment = found.line.group if found.line is not self.line else None
        pairs = self._tester.pairs_of(found.line, found.step.before, found.step.after)
        is_paired = found.step.pairs is not None
        event = None if found.is_drift else self._cause(found.step, pairs)
        recovery = found.recovery
        return LevelChange(
            step=found.step,
            newest=found.line.points[-1],
            segment=segment,
            recovery=recovery,
            event=event,
            recovery_event=None
            if recovery is None
            else self._cause(recovery, self._tester.pairs_of(found.line, recovery.before, recovery.after)),
            places=self._places(found, pairs) if segment is None else (),
            others=tuple(
                (other.line.group, other.step)
                for other in others
                if other is not found and (other.step.before.at, other.step.after.at) == _step_times(found.step)
            ),
            is_drift=found.is_drift,
            has_relapsed=found.has_relapsed,
            events_between=tuple(_between(self._events, found.step)),
            shared=None if is_paired or pairs is None else pairs.pairs,
            answers=None if is_paired or pairs is None else pairs.rows,
        )

    def parts(self, step: TrendStep) -> list[Contribution]:
        """Return each segment's contribution to the change of the whole."""
        return contributions(_points_at(self.segments, step.before), _points_at(self.segments, step.after))

    def _places(self, found: _Found, pairs: RunPairs | None) -> tuple[SegmentShare, ...]:
        if found.step.pairs is None or pairs is None:
            return ()
        return pairs.leading_segments()

    def _cause(self, step: TrendStep, pairs: RunPairs | None) -> Event | None:
        between = _between(self._events, step)
        if len(between) != 1 or pairs is None or pairs.by_id < _PAIRED_BY_ID * pairs.rows:
            return None
        before, after = (get_run(self._store, point.run_ids[0]).kb_version for point in (step.before, step.after))
        return between[0] if before is not None and after is not None and before != after else None

    def _last_change(self, line: TrendLine, real: Sequence[TrendStep]) -> _Found | None:
        falls = [step for step in real if step.delta < 0]
        if not falls:
            return _Found(line=line, step=real[-1]) if real else None
        fall = falls[-1]
        later = [point for point in line.points if point.at > fall.after.at]
        recovery = self._find_recovery(line, fall, later)
        has_relapsed = recovery is not None and line.points[-1].mean < _wanted(fall)
        return _Found(line=line, step=fall, recovery=recovery, has_relapsed=has_relapsed)

    def _find_recovery(self, line: TrendLine, fall: TrendStep, later: Sequence[TrendPoint]) -> TrendStep | None:
        """Return the step from the low point to the first point that recovered most of the loss, significantly.

        Points after which all others kept the level are tried first, so a lasting recovery is found before a short one.
        Steps are not tested one by one, because a slow recovery may not have a significant step. Each later point could
        be the recovery, so p-values are multiplied by their number (Bonferroni).
        """
        low = fall.after
        good = [point for point in later if point.mean >= _wanted(fall)]
        kept = [point for point in good if all(p.mean >= _wanted(fall) for p in later if p.at >= point.at)]
        for point in [*kept, *(point for point in good if point not in kept)]:
            test = self._tester(line, low, point)
            if test is not None and test.exact is not None:
                test = test.exact()
            if test is None or test.delta <= 0:
                continue
            step = step_of(low, point, test, adjusted=min(1.0, test.ranked_p * len(later)))
            if step.is_real:
                return step
        return None


def summarise_trend(
    store: Store, whole: Trend, by_segment: Trend, events: Sequence[Event], *, view: View = View.JUDGE
) -> TrendFinding:
    """Return the finding on the main line.

    Args:
        store: the store, for the pairs of answers that steps are tested on.
        whole: the trend without groups.
        by_segment: the same by segment.
        events: the events, oldest first.
        view: whose verdicts the scores use.
    """
    search = _Search(store, whole, by_segment, events, view)
    tests = search.whole_tests()
    if search.line is None or tests is None:
        return TrendFinding(line=None, level_change=None)
    found = search.in_whole(tests)
    if found is not None:
        return TrendFinding(line=search.line, level_change=search.describe(found), tests=tests)
    others = search.in_segments()
    most = max(others, key=_urgency, default=None)
    change = None if most is None else search.describe(most, others=others)
    return TrendFinding(line=search.line, level_change=change, tests=tests)


def list_regressions(
    store: Store, whole: Trend, by_segment: Trend, events: Sequence[Event], *, view: View = View.JUDGE
) -> list[LevelChange]:
    """Return the falls of the main line without a recovery, the segments' before the whole's.

    Only falls since the last event before the newest point, or within the last few points, are news; the whole is left
    out if a segment's fall at the same step explains most of it.
    """
    search = _Search(store, whole, by_segment, events, view)
    tests = search.whole_tests()
    if search.line is None or tests is None:
        return []
    points = search.line.points
    past = [event.at for event in events if event.at <= points[-1].at]
    since = min([*past[-1:], points[max(0, len(points) - 1 - _NEWS)].at])
    falls = [found for found in search.in_segments() if found.is_open_fall and found.news_at >= since]
    regressions = [search.describe(fall) for fall in falls]
    fall = search.in_whole(tests)
    if fall is not None and fall.is_open_fall and fall.news_at >= since:
        explained = {one.line.group for one in falls if one.step.after.at == fall.step.after.at}
        parts = [] if fall.is_drift else search.parts(fall.step)
        if not any(part.group in explained and part.share >= _RECOVERED for part in parts):
            regressions.append(search.describe(fall))
    return regressions


def _wanted(fall: TrendStep) -> float:
    """Return the minimum score at which most of a fall's loss is recovered."""
    return fall.before.mean - (1 - _RECOVERED) * (fall.before.mean - fall.after.mean)


def _step_times(step: TrendStep) -> tuple[datetime, datetime]:
    return step.before.at, step.after.at


def _urgency(change: _Found) -> tuple[bool, bool, datetime, float]:
    """Return the sort key of segments' changes: open falls first, then the newest, then the largest."""
    is_fall = change.step.delta < 0
    return change.is_open_fall, is_fall, change.step.after.at, abs(change.step.delta)


def _between(events: Sequence[Event], step: TrendStep) -> list[Event]:
    """Return the events between the two points of a step."""
    end = step.after.end or step.after.at
    return [event for event in events if step.before.at < event.at <= end]


def _points_at(segments: Sequence[TrendLine], point: TrendPoint) -> Mapping[str | None, TrendPoint]:
    """Return the points of all segments with the same runs and time."""
    return {
        line.group: own
        for line in segments
        for own in line.points
        if own.at == point.at and set(own.run_ids) & set(point.run_ids)
    }
