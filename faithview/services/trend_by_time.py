"""Faithfulness by the rows' own timestamps: the mean of each day, week or month."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from faithview.domain.answer import View
from faithview.domain.buckets import Bucket, Step, bucket_of, get_zone, is_plausible
from faithview.domain.event import EventKind
from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.domain.trend import Grouping, TrendLine, TrendPoint, group_of
from faithview.services.container import Store
from faithview.services.events import list_settings
from faithview.stats.run_score import Cluster, run_score
from faithview.store import revisions, trends
from faithview.store.revisions import Revision

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_STATES = tuple(State)
# Sums of a few ratios differ in their last digits with the order of addition.
_DIGITS = 9

_Array = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedLines:
    """Lines by day, week or month; `undated` counts the rows without a plausible timestamp, which are left out."""

    lines: tuple[TrendLine, ...]
    undated: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """The rows of a run, or of several, as columns; only those with a plausible timestamp, in microseconds since 1970.

    `segment`, `run` and `state` are positions in `segments`, `runs` and the states; `question` is the start of the
    question's hash, which is enough to distinguish the questions of one chart. `weight` is 1 / the row's inclusion
    probability.
    """

    at: _Array
    state: _Array
    segment: _Array
    question: _Array
    score: _Array
    weight: _Array
    run: _Array
    segments: tuple[str | None, ...]
    runs: tuple[str, ...]
    undated: int

    def where(self, mask: _Array) -> "_Rows":
        return _Rows(
            at=self.at[mask],
            state=self.state[mask],
            segment=self.segment[mask],
            question=self.question[mask],
            score=self.score[mask],
            weight=self.weight[mask],
            run=self.run[mask],
            segments=self.segments,
            runs=self.runs,
            undated=0,
        )


def dated_lines(
    store: Store,
    runs: Sequence[Run],
    *,
    series: str | None,
    step: Step,
    grouping: Grouping,
    zone: str,
    view: View,
) -> DatedLines:
    """Return a line for each group and judge, with a point for each day, week or month that has judged answers.

    All answers to one question within a day, week or month are one cluster of the interval, in all runs. Answers of
    different sampling rates are weighted by 1 / their own rate. The reviewed view uses only labelled runs. Rows are
    cached until their run changes, lines until any run of their series changes.

    Raises:
        InvalidInput: there is no such time zone.
    """
    states = revisions.list_revisions(store.db, [run.run_id for run in runs])
    known = [run for run in runs if run.run_id in states and (view is View.JUDGE or states[run.run_id].label)]
    known.sort(key=lambda run: (run.as_of, run.created_at))
    state = tuple((run.run_id, states[run.run_id], run.kb_version) for run in known)
    return store.cache.get(
        "dated lines",
        (series, step, grouping, zone, view),
        state,
        partial(_compute_lines, store, known, states, step=step, grouping=grouping, zone=zone, view=view),
    )


def find_models(store: Store, runs: Sequence[Run]) -> dict[str, str]:
    """Return by run the model of its answers, if all its rows name the same one."""
    settings = list_settings(store, tuple(run.run_id for run in runs))
    return {run_id: own[EventKind.MODEL] for run_id, own in settings.items() if EventKind.MODEL in own}


def _compute_lines(
    store: Store,
    runs: Sequence[Run],
    states: dict[str, Revision],
    *,
    step: Step,
    grouping: Grouping,
    zone: str,
    view: View,
) -> DatedLines:
    models = find_models(store, runs) if grouping is Grouping.MODEL else {}
    groups: dict[tuple[str | None, str], list[Run]] = {}
    for run in runs:
        key = "" if grouping is Grouping.SEGMENT else group_of(run, grouping, models)
        groups.setdefault((key, run.fingerprint), []).append(run)
    lines: list[TrendLine] = []
    undated = 0
    for (group, fingerprint), members in groups.items():
        rows = _concatenate([_cached_rows(store, run, states[run.run_id], view) for run in members])
        undated += rows.undated
        if not len(rows.at):
            continue
        buckets = _buckets(rows.at, step, get_zone(zone))
        for name, part in _split_by_segment(rows, grouping, group):
            points = _bucket_points(part, buckets)
            if points:
                judge = members[0].judge
                line = TrendLine(group=name, fingerprint=fingerprint, judge=judge, view=view, points=points)
                lines.append(replace(line, grouping=grouping))
    return DatedLines(lines=tuple(lines), undated=undated)


def _cached_rows(store: Store, run: Run, revision: Revision, view: View) -> _Rows:
    return store.cache.get("dated rows", (run.run_id, view), revision, partial(_read_rows, store, run.run_id, view))


def _read_rows(store: Store, run_id: str, view: View) -> _Rows:
    rows = trends.list_dated_rows(store.db, run_id, view=view)
    # Older stores and calls from Python can contain times that files are no longer read with.
    dated = [row for row in rows if row.at is not None and is_plausible(row.at)]
    segments = sorted({row.segment for row in dated if row.segment is not None})
    named: list[str | None] = [None, *segments]
    place = {name: at for at, name in enumerate(named)}
    states = {state.value: at for at, state in enumerate(_STATES)}
    return _Rows(
        at=np.array([_microseconds(row.at) for row in dated if row.at is not None], dtype=np.int64),
        state=np.array([states[row.state] for row in dated], dtype=np.int8),
        segment=np.array([place[row.segment] for row in dated], dtype=np.int32),
        question=np.array([int(row.cluster[:15], 16) for row in dated], dtype=np.int64),
        score=np.array([np.nan if row.faithfulness is None else row.faithfulness for row in dated], dtype=np.float64),
        weight=np.array([1 / row.inclusion_probability for row in dated], dtype=np.float64),
        run=np.zeros(len(dated), dtype=np.int32),
        segments=tuple(named),
        runs=(run_id,),
        undated=len(rows) - len(dated),
    )


def _concatenate(parts: Sequence[_Rows]) -> _Rows:
    segments: list[str | None] = [None, *sorted({name for part in parts for name in part.segments if name is not None})]
    place = {name: at for at, name in enumerate(segments)}
    return _Rows(
        at=np.concatenate([part.at for part in parts]),
        state=np.concatenate([part.state for part in parts]),
        segment=np.concatenate([np.array([place[n] for n in part.segments])[part.segment] for part in parts]),
        question=np.concatenate([part.question for part in parts]),
        score=np.concatenate([part.score for part in parts]),
        weight=np.concatenate([part.weight for part in parts]),
        run=np.concatenate([np.full(len(part.at), number) for number, part in enumerate(parts)]),
        segments=tuple(segments),
        runs=tuple(part.runs[0] for part in parts),
        undated=sum(part.undated for part in parts),
    )


def _split_by_segment(rows: _Rows, grouping: Grouping, group: str | None) -> list[tuple[str | None, _Rows]]:
    if grouping is not Grouping.SEGMENT:
        return [(group, rows)]
    parts = [(name, rows.where(rows.segment == at)) for at, name in enumerate(rows.segments)]
    return [(name, part) for name, part in parts if len(part.at)]


def _buckets(at: _Array, step: Step, zone: ZoneInfo) -> list[Bucket]:
    """Return the days, weeks or months that contain any of these times, in order."""
    at = np.sort(at)
    buckets: list[Bucket] = []
    place = 0
    while place < len(at):
        buckets.append(bucket_of(_from_microseconds(at[place]), step, zone))
        place = int(np.searchsorted(at, _microseconds(buckets[-1].end)))
    return buckets


def _bucket_points(rows: _Rows, buckets: Sequence[Bucket]) -> tuple[TrendPoint, ...]:
    order = np.argsort(rows.at, kind="stable")
    rows = rows.where(order)
    starts = np.searchsorted(rows.at, [_microseconds(bucket.start) for bucket in buckets])
    ends = np.searchsorted(rows.at, [_microseconds(bucket.end) for bucket in buckets])
    points = []
    for bucket, first, end in zip(buckets, starts, ends, strict=True):
        point = _bucket_point(rows.where(np.arange(first, end)), bucket) if end > first else None
        if point is not None:
            points.append(point)
    return tuple(points)


def _bucket_point(rows: _Rows, bucket: Bucket) -> TrendPoint | None:
    counts = np.bincount(rows.state, minlength=len(_STATES))
    is_judged = rows.state == _STATES.index(State.JUDGED)
    is_unscored = np.isin(rows.state, [_STATES.index(state) for state in (State.FAILED, State.PENDING)])
    # Rows of a single sampling rate have equal weights.
    is_weighted = bool((rows.weight != rows.weight[0]).any())
    score = run_score(
        _clusters(rows.question[is_judged], rows.score[is_judged], rows.weight[is_judged] if is_weighted else None),
        unscored=int(is_unscored.sum()),
        unscored_weight=float(rows.weight[is_unscored].sum()) if is_weighted else None,
    )
    if score.mean is None:
        return None
    return TrendPoint(
        at=bucket.start,
        end=bucket.end,
        mean=score.mean,
        interval=score.interval,
        judged=score.judged,
        rows=len(rows.at),
        left_out={
            state.value: int(count)
            for state, count in zip(_STATES, counts, strict=True)
            if count and state is not State.JUDGED
        },
        run_ids=tuple(rows.runs[at] for at in np.unique(rows.run)),
        questions=len(np.unique(rows.question[is_judged])),
    )


def _clusters(questions: _Array, scores: _Array, weights: _Array | None) -> list[Cluster]:
    """Return the answers grouped by question, with equal questions merged to make the interval cheap."""
    _, place = np.unique(questions, return_inverse=True)
    answers = np.bincount(place).tolist()
    totals = np.round(np.bincount(place, weights=scores if weights is None else scores * weights), _DIGITS).tolist()
    sizes: list[float | None] = [None] * len(answers)
    if weights is not None:
        sizes = np.round(np.bincount(place, weights=weights), _DIGITS).tolist()
    merged: dict[tuple[int, float, float | None], int] = {}
    for number, total, size in zip(answers, totals, sizes, strict=True):
        merged[number, total, size] = merged.get((number, total, size), 0) + 1
    return [
        Cluster(answers=number, total=total, count=count, weight=size)
        for (number, total, size), count in sorted(merged.items(), key=lambda item: (*item[0][:2], item[0][2] or 0.0))
    ]


def _microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def _from_microseconds(microseconds: int) -> datetime:
    return _EPOCH + int(microseconds) * _MICROSECOND
