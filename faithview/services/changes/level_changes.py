"""Level changes of a trend: the last significant fall or rise, its cause, its segments, and whether it recovered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.event import Event
from faithview.domain.trend import Contribution, Trend, TrendLine, TrendPoint, contributions
from faithview.domain.views import View
from faithview.services.changes.step_tests import RunPairs, StepTests
from faithview.services.comparison.comparison import SEGMENT_ALPHA
from faithview.services.container import Services
from faithview.services.results.runs import get_run
from faithview.stats.segment_shares import SegmentShare
from faithview.stats.trend_steps import LineTests, TrendStep, line_tests, step_of

_NEWS = 5  # points: an older fall, with no event since, is known by now
_RECOVERED = 0.5  # the least part of the loss that a rise must make good to be called a recovery
# The least share of the answers that must be the same ones, by their ids, for an event to be called the cause.
_PAIRED_BY_ID = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelChange:
    """A significant step of a line, and what is known about it.

    `segment` is None where the whole moved. `is_drift` says that the step is from the first point to the last, because
    no single one is significant. `recovery` is the step from the low point of a fall to the point that made it good
    again, None while there is none; `has_relapsed` says that the newest point is back down. `newest` is the line's
    newest point.

    `event` is named as the cause, None where the cause is not known; `events_between` are all events between the two
    points. An event is the cause only where it is the only one, both runs name a version of the knowledge base and not
    the same one, and at least 80 % of the larger run's answers are in both by their ids.

    `places` are the segments that have more of the change than of the answers. `others` are changes of other segments
    between the same points. `shared` and `answers` count, where the two points are not compared on pairs, how many of
    the larger run's answers both have; None where that is not known.
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
        """Whether it is a fall that the newest point has not made good."""
        return self.step.delta < 0 and (self.recovery is None or self.has_relapsed)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendFinding:
    """What to say about a trend: `line` is the main line, None where there is no point at all.

    `level_change` is the last fall, else the last rise, of the whole line, else its drift, else a change of a segment;
    None where nothing is significant. `tests` are those of the whole line.
    """

    line: TrendLine | None
    level_change: LevelChange | None
    tests: LineTests | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A real step, with its recovery where it is a fall that has one."""

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
        """When it last became news: at the step, or at the recovery that did not hold."""
        is_undone = self.recovery is not None and self.has_relapsed
        return self.recovery.after.at if is_undone and self.recovery is not None else self.step.after.at


class _Search:
    """Looks for changes in a trend's main line and its segments."""

    def __init__(self, services: Services, whole: Trend, by_segment: Trend, events: Sequence[Event], view: View):
        self._services = services
        self._events = events
        lines = whole.of_view(view)
        self.line = lines[0] if lines else None
        self.segments = [
            line
            for line in by_segment.of_view(view)
            if self.line is not None and line.fingerprint == self.line.fingerprint
        ]
        self._tester = StepTests(services, [self.line] if self.line else [])

    def whole_tests(self) -> LineTests | None:
        return None if self.line is None else line_tests([self.line], self._tester, with_drift=True)[0]

    def in_whole(self, tests: LineTests) -> _Found | None:
        """Return the last real fall, else the last real rise, else the drift of the main line."""
        assert self.line is not None  # noqa: S101 - it has tests
        found = self._last_change(self.line, [step for step in tests.steps if step.is_real])
        if found is None and tests.drift is not None and tests.drift.is_real:
            return _Found(line=self.line, step=tests.drift, is_drift=True)
        return found

    def in_segments(self) -> list[_Found]:
        """Return the last change of each segment that has one; the segments' steps are tested together."""
        named = [line for line in self.segments if line.group is not None]
        tests = line_tests(named, self._tester)
        found = [
            self._last_change(line, [step for step in own.steps if step.adjusted < SEGMENT_ALPHA])
            for line, own in zip(named, tests, strict=True)
        ]
        return [one for one in found if one is not None]

    def describe(self, found: _Found, *, others: Sequence[_Found] = ()) -> LevelChange:
        """Return all that is known about a change; `others` are changes that may be between the same points."""
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
                if other is not found and (other.step.before.at, other.step.after.at) == _ends(found.step)
            ),
            is_drift=found.is_drift,
            has_relapsed=found.has_relapsed,
            events_between=tuple(_between(self._events, found.step)),
            shared=None if is_paired or pairs is None else pairs.pairs,
            answers=None if is_paired or pairs is None else pairs.rows,
        )

    def parts(self, step: TrendStep) -> list[Contribution]:
        """Return what each segment adds to the change of the whole."""
        return contributions(_points_at(self.segments, step.before), _points_at(self.segments, step.after))

    def _places(self, found: _Found, pairs: RunPairs | None) -> tuple[SegmentShare, ...]:
        if found.step.pairs is None or pairs is None:
            return ()
        return pairs.leading_segments()

    def _cause(self, step: TrendStep, pairs: RunPairs | None) -> Event | None:
        between = _between(self._events, step)
        if len(between) != 1 or pairs is None or pairs.by_id < _PAIRED_BY_ID * pairs.rows:
            return None
        before, after = (get_run(self._services, point.run_ids[0]).kb_version for point in (step.before, step.after))
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
        """Return the step from the low point to the first point that made good most of the loss, significantly.

        Points from which on all others kept it come first, so that a recovery that holds is found before one that did
        not. Not step by step: a slow recovery has no single step that is significant. Each of the later points could
        be the one, so p-values are multiplied by their number (Bonferroni).
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
    services: Services, whole: Trend, by_segment: Trend, events: Sequence[Event], *, view: View = View.JUDGE
) -> TrendFinding:
    """Return what to say about the main line.

    Args:
        services: the store, for the pairs of answers that steps are tested on.
        whole: the trend without groups.
        by_segment: the same by segment.
        events: what happened, oldest first.
        view: whose verdicts the scores use.
    """
    search = _Search(services, whole, by_segment, events, view)
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
    services: Services, whole: Trend, by_segment: Trend, events: Sequence[Event], *, view: View = View.JUDGE
) -> list[LevelChange]:
    """Return the falls of the main line that have not recovered, the segments' before the whole's.

    Only falls since the last event before the newest point, or within the last few points, are news; the whole is left
    out where a segment's fall at the same step explains most of it.
    """
    search = _Search(services, whole, by_segment, events, view)
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
    """Return the score from which most of a fall's loss is made good."""
    return fall.before.mean - (1 - _RECOVERED) * (fall.before.mean - fall.after.mean)


def _ends(step: TrendStep) -> tuple[datetime, datetime]:
    return step.before.at, step.after.at


def _urgency(change: _Found) -> tuple[bool, bool, datetime, float]:
    """Return the order of several segments' changes: an open fall first, then the newest, then the largest."""
    is_fall = change.step.delta < 0
    return change.is_open_fall, is_fall, change.step.after.at, abs(change.step.delta)


def _between(events: Sequence[Event], step: TrendStep) -> list[Event]:
    """Return the events between the two points of a step."""
    end = step.after.end or step.after.at
    return [event for event in events if step.before.at < event.at <= end]


def _points_at(segments: Sequence[TrendLine], point: TrendPoint) -> Mapping[str | None, TrendPoint]:
    """Return the points of all segments that are of the same runs and time."""
    return {
        line.group: own
        for line in segments
        for own in line.points
        if own.at == point.at and set(own.run_ids) & set(point.run_ids)
    }
