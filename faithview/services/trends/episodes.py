"""What a trend says: the last fall that is more than chance, what it coincided with, where it was, and its recovery."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.event import Event
from faithview.domain.trend import Contribution, Trend, TrendLine, TrendPoint, contributions
from faithview.domain.views import View
from faithview.stats.trend_steps import TrendStep, step_p_value, trend_steps

_NEWS = 5  # points: a fall further back, with no event since, is known by now
_RECOVERED = 0.5  # of the loss, at least, for a rise to be called a recovery


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One real step of a line, and what is known about it.

    `segment` is None where the whole moved. `recovery` leads from the low point of a fall to the one that made it good
    again, None while there is none. `event` is the last one between the two points. `parts` says what each segment adds
    to the whole's change, the largest first; empty for a segment's own episode.
    """

    change: TrendStep
    segment: str | None
    recovery: TrendStep | None
    event: Event | None
    recovery_event: Event | None
    parts: tuple[Contribution, ...]

    @property
    def baseline_id(self) -> str:
        """The last run before the step."""
        return self.change.before.run_ids[-1]

    @property
    def candidate_id(self) -> str:
        """The first run after the step."""
        return self.change.after.run_ids[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What to say about a trend: `line` is the judge's that judged last, None where there is no point at all.

    `episode` is the last fall, else the last rise, of the whole line, else of a segment; None where no step is more
    than chance.
    """

    line: TrendLine | None
    episode: Episode | None


def tell_story(whole: Trend, by_segment: Trend, events: Sequence[Event], *, view: View = View.JUDGE) -> Story:
    """Return what to say about the newest judge's line.

    Args:
        whole: the trend without groups.
        by_segment: the same by segment.
        events: what happened, oldest first.
        view: whose verdicts it is told by.
    """
    lines = whole.of_view(view)
    if not lines:
        return Story(line=None, episode=None)
    line = lines[0]
    segments = [s for s in by_segment.of_view(view) if s.fingerprint == line.fingerprint]
    (changes,) = trend_steps([line.points])
    if (found := _last_episode(changes)) is not None:
        change, recovery = found
        parts = contributions(_at(segments, change.before), _at(segments, change.after))
        return Story(line=line, episode=_episode(change, recovery, events, segment=None, parts=parts))
    named = [s for s in segments if s.group is not None]
    by_line = [(s, _last_episode(c)) for s, c in zip(named, trend_steps([s.points for s in named]), strict=True)]
    episodes = [
        _episode(found[0], found[1], events, segment=s.group, parts=()) for s, found in by_line if found is not None
    ]
    return Story(line=line, episode=max(episodes, key=_urgency, default=None))


def list_regressions(
    whole: Trend, by_segment: Trend, events: Sequence[Event], *, view: View = View.JUDGE
) -> list[Episode]:
    """Return the falls of the newest judge's line that have not recovered, the segments' before the whole's.

    Only what fell since the last event before the newest point, or within the last few points, is news; the whole is
    left out where a segment's fall at the same step explains most of it.
    """
    lines = whole.of_view(view)
    if not lines:
        return []
    line = lines[0]
    segments = [s for s in by_segment.of_view(view) if s.fingerprint == line.fingerprint and s.group is not None]
    past = [event.at for event in events if event.at <= line.points[-1].at]
    since = min([*past[-1:], line.points[max(0, len(line.points) - 1 - _NEWS)].at])
    found = []
    for own, changes in zip(segments, trend_steps([s.points for s in segments]), strict=True):
        found += _unmended(changes, events, segment=own.group, parts=(), since=since)
    (changes,) = trend_steps([line.points])
    for change in _falls(changes, since):
        parts = contributions(_at(segments, change.before), _at(segments, change.after))
        told = {e.segment for e in found if e.change.after.at == change.after.at}
        if not any(part.group in told and part.share >= _RECOVERED for part in parts):
            found += _unmended(changes, events, segment=None, parts=parts, since=since)
    return found


def _falls(changes: Sequence[TrendStep], since: datetime) -> list[TrendStep]:
    episode = _last_episode(changes)
    is_open = episode is not None and episode[1] is None and episode[0].delta < 0
    return [episode[0]] if episode is not None and is_open and episode[0].after.at >= since else []


def _unmended(
    changes: Sequence[TrendStep],
    events: Sequence[Event],
    *,
    segment: str | None,
    parts: Sequence[Contribution],
    since: datetime,
) -> list[Episode]:
    return [_episode(fall, None, events, segment=segment, parts=parts) for fall in _falls(changes, since)]


def _last_episode(changes: Sequence[TrendStep]) -> tuple[TrendStep, TrendStep | None] | None:
    """Return the last real fall with its recovery, else the last real rise; None where no step is real."""
    real = [change for change in changes if change.is_real]
    falls = [change for change in real if change.delta < 0]
    if not falls:
        return (real[-1], None) if real else None
    fall = falls[-1]
    return fall, _find_recovery(fall, [change.after for change in changes if change.after.at > fall.after.at])


def _find_recovery(fall: TrendStep, later: Sequence[TrendPoint]) -> TrendStep | None:
    """Return the way from the low point to the first later one that made most of the loss good, by more than chance.

    Not step by step, for what recovers slowly has no single step that is more than chance. Each of the later points
    could be the one, so p-values count as often (Bonferroni).
    """
    wanted = fall.after.mean - _RECOVERED * fall.delta
    for point in later:
        chance = step_p_value(fall.after, point)
        if point.mean >= wanted and chance is not None:
            way = TrendStep(before=fall.after, after=point, p_value=chance, adjusted=min(1.0, chance * len(later)))
            if way.is_real:
                return way
    return None


def _episode(
    change: TrendStep,
    recovery: TrendStep | None,
    events: Sequence[Event],
    *,
    segment: str | None,
    parts: Sequence[Contribution],
) -> Episode:
    return Episode(
        change=change,
        segment=segment,
        recovery=recovery,
        event=find_event(events, change),
        recovery_event=None if recovery is None else find_event(events, recovery),
        parts=tuple(parts),
    )


def _urgency(episode: Episode) -> tuple[bool, bool, datetime, float]:
    """Say which of several segments' episodes to tell: a fall that has not recovered, then the newest, the largest."""
    change = episode.change
    is_fall = change.delta < 0
    return is_fall and episode.recovery is None, is_fall, change.after.at, abs(change.delta)


def find_event(events: Sequence[Event], change: TrendStep) -> Event | None:
    """Return the last event between the two points of a step; one that was noted down goes before a detected one."""
    end = change.after.end or change.after.at
    between = [event for event in events if change.before.at < event.at <= end]
    chosen = [event for event in between if not event.is_detected] or between
    return chosen[-1] if chosen else None


def _at(segments: Sequence[TrendLine], point: TrendPoint) -> Mapping[str | None, TrendPoint]:
    """Return the points of all segments that are of the same runs and time."""
    return {
        line.group: own
        for line in segments
        for own in line.points
        if own.at == point.at and set(own.run_ids) & set(point.run_ids)
    }
