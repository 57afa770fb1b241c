"""Level changes of a trend: the last fall that is more than chance, its event, its segments, and its recovery."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.event import Event
from faithview.domain.trend import Contribution, Trend, TrendLine, TrendPoint, contributions
from faithview.domain.views import View
from faithview.stats.trend_steps import TrendStep, step_p_value, trend_steps

_NEWS = 5  # points: an older fall, with no event since, is known by now
_RECOVERED = 0.5  # the least part of the loss that a rise must make good to be called a recovery


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelChange:
    """A step of a line that is more than chance, and what is known about it.

    `segment` is None where the whole moved. `recovery` is the step from the low point of a fall to the point that made
    it good again, None while there is none. `event` is the last one between the two points. `parts` says what each
    segment adds to the whole's change, the largest first; it is empty for a segment's own change.
    """

    step: TrendStep
    segment: str | None
    recovery: TrendStep | None
    event: Event | None
    recovery_event: Event | None
    parts: tuple[Contribution, ...]

    @property
    def baseline_id(self) -> str:
        """The last run before the step."""
        return self.step.before.run_ids[-1]

    @property
    def candidate_id(self) -> str:
        """The first run after the step."""
        return self.step.after.run_ids[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendFinding:
    """What to say about a trend: `line` is the line of the newest judge, None where there is no point at all.

    `level_change` is the last fall, else the last rise, of the whole line, else of a segment; None where no step is
    more than chance.
    """

    line: TrendLine | None
    level_change: LevelChange | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Recovered:
    """A real step, with its recovery where it is a fall that has one."""

    step: TrendStep
    recovery: TrendStep | None

    @property
    def is_open_fall(self) -> bool:
        return self.step.delta < 0 and self.recovery is None


def summarise_trend(
    whole: Trend, by_segment: Trend, events: Sequence[Event], *, view: View = View.JUDGE
) -> TrendFinding:
    """Return what to say about the newest judge's line.

    Args:
        whole: the trend without groups.
        by_segment: the same by segment.
        events: what happened, oldest first.
        view: whose verdicts the scores use.
    """
    lines = whole.of_view(view)
    if not lines:
        return TrendFinding(line=None, level_change=None)
    line = lines[0]
    segments = [s for s in by_segment.of_view(view) if s.fingerprint == line.fingerprint]
    (steps,) = trend_steps([line.points])
    last = _last_change(steps)
    if last is not None:
        parts = contributions(_points_at(segments, last.step.before), _points_at(segments, last.step.after))
        return TrendFinding(line=line, level_change=_level_change(last, events, segment=None, parts=parts))
    named = [s for s in segments if s.group is not None]
    by_line = zip(named, trend_steps([s.points for s in named]), strict=True)
    level_changes = [
        _level_change(own, events, segment=s.group, parts=())
        for s, steps in by_line
        if (own := _last_change(steps)) is not None
    ]
    return TrendFinding(line=line, level_change=max(level_changes, key=_urgency, default=None))


def list_regressions(
    whole: Trend, by_segment: Trend, events: Sequence[Event], *, view: View = View.JUDGE
) -> list[LevelChange]:
    """Return the falls of the newest judge's line that have not recovered, the segments' before the whole's.

    Only falls since the last event before the newest point, or within the last few points, are news; the whole is left
    out where a segment's fall at the same step explains most of it.
    """
    lines = whole.of_view(view)
    if not lines:
        return []
    line = lines[0]
    segments = [s for s in by_segment.of_view(view) if s.fingerprint == line.fingerprint and s.group is not None]
    past = [event.at for event in events if event.at <= line.points[-1].at]
    since = min([*past[-1:], line.points[max(0, len(line.points) - 1 - _NEWS)].at])
    regressions: list[LevelChange] = []
    for own, steps in zip(segments, trend_steps([s.points for s in segments]), strict=True):
        fall = _open_fall(steps, since)
        if fall is not None:
            regressions.append(_level_change(fall, events, segment=own.group, parts=()))
    (steps,) = trend_steps([line.points])
    fall = _open_fall(steps, since)
    if fall is not None:
        parts = contributions(_points_at(segments, fall.step.before), _points_at(segments, fall.step.after))
        explained = {change.segment for change in regressions if change.step.after.at == fall.step.after.at}
        if not any(part.group in explained and part.share >= _RECOVERED for part in parts):
            regressions.append(_level_change(fall, events, segment=None, parts=parts))
    return regressions


def _open_fall(steps: Sequence[TrendStep], since: datetime) -> _Recovered | None:
    last = _last_change(steps)
    return last if last is not None and last.is_open_fall and last.step.after.at >= since else None


def _last_change(steps: Sequence[TrendStep]) -> _Recovered | None:
    """Return the last real fall with its recovery, else the last real rise; None where no step is real."""
    real = [step for step in steps if step.is_real]
    falls = [step for step in real if step.delta < 0]
    if not falls:
        return _Recovered(step=real[-1], recovery=None) if real else None
    fall = falls[-1]
    later = [step.after for step in steps if step.after.at > fall.after.at]
    return _Recovered(step=fall, recovery=_find_recovery(fall, later))


def _find_recovery(fall: TrendStep, later: Sequence[TrendPoint]) -> TrendStep | None:
    """Return the step from the low point to the first later one that made good most of the loss, by more than chance.

    Not step by step: a slow recovery has no single step that is more than chance. Each of the later points could be
    the one, so p-values are multiplied by their number (Bonferroni).
    """
    wanted = fall.after.mean - _RECOVERED * fall.delta
    for point in later:
        p_value = step_p_value(fall.after, point)
        if point.mean >= wanted and p_value is not None:
            adjusted = min(1.0, p_value * len(later))
            recovery = TrendStep(before=fall.after, after=point, p_value=p_value, adjusted=adjusted)
            if recovery.is_real:
                return recovery
    return None


def _level_change(
    last: _Recovered, events: Sequence[Event], *, segment: str | None, parts: Sequence[Contribution]
) -> LevelChange:
    return LevelChange(
        step=last.step,
        segment=segment,
        recovery=last.recovery,
        event=find_event(events, last.step),
        recovery_event=None if last.recovery is None else find_event(events, last.recovery),
        parts=tuple(parts),
    )


def _urgency(change: LevelChange) -> tuple[bool, bool, datetime, float]:
    """Return the order of several segments' changes: an open fall first, then the newest, then the largest."""
    is_fall = change.step.delta < 0
    return is_fall and change.recovery is None, is_fall, change.step.after.at, abs(change.step.delta)


def find_event(events: Sequence[Event], step: TrendStep) -> Event | None:
    """Return the last event between the two points of a step; recorded events come before detected ones."""
    end = step.after.end or step.after.at
    between = [event for event in events if step.before.at < event.at <= end]
    chosen = [event for event in between if not event.is_detected] or between
    return chosen[-1] if chosen else None


def _points_at(segments: Sequence[TrendLine], point: TrendPoint) -> Mapping[str | None, TrendPoint]:
    """Return the points of all segments that are of the same runs and time."""
    return {
        line.group: own
        for line in segments
        for own in line.points
        if own.at == point.at and set(own.run_ids) & set(point.run_ids)
    }
