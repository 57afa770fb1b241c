"""Faithfulness over time: by run from the runs' stored figures, by day, week and month from the rows' own times.

Every line has one exact judge (its fingerprint covers judge, method and prompt), so scores with different meanings are
never joined. Repeats of a run are not separate points. Incomplete runs are left out and listed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd

from faithview.domain.answer import View
from faithview.domain.buckets import END_OF_TIME, FIRST_MOMENT, Step, bounds, get_zone
from faithview.domain.event import EventKind
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.scoring import RunScore
from faithview.domain.series import has_trend
from faithview.domain.trend import Grouping, Trend, TrendLine, TrendPoint, WorstAnswer, group_of
from faithview.services.container import Store
from faithview.services.events import list_settings
from faithview.services.results import list_runs, summarise_runs
from faithview.services.review.corrected_score import correct_summaries
from faithview.stats.run_score import Cluster, run_score
from faithview.store import revisions, trends
from faithview.store import runs as stored_runs
from faithview.store.trends import DatedRow

MOST_RUNS = 500

# The points of each group under each judge, oldest first: by the group's name and the judge's fingerprint.
_Points = dict[tuple[str | None, str], list[TrendPoint]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendQuery:
    """The settings of a trend.

    `zone` names the time zone of days, weeks and months; `series` restricts the trend to one series' runs.
    """

    step: Step = Step.RUN
    grouping: Grouping = Grouping.ALL
    zone: str = "UTC"
    series: str | None = None


def load_trend(store: Store, query: TrendQuery) -> Trend:
    """Return the lines of the newest runs by the judge's verdicts and, without groups, of their corrected scores.

    Answers that were checked one at a time are left out. The corrected line has points only for runs whose spot-check
    has enough labels for an estimate. An estimate is for a whole run, so it does not exist by the rows' own times.

    Args:
        store: the store.
        query: the unit of time, the grouping of lines, and the series.

    Raises:
        InvalidInput: there is no such time zone.
    """
    get_zone(query.zone)
    listed = list_runs(store, series=query.series, limit=MOST_RUNS)
    runs = [run for run in listed if has_trend(run.series)]
    firsts = [run for run in runs if run.repeat_of is None]
    usable = [run for run in firsts if run.status is RunStatus.COMPLETE]
    trend = Trend(
        step=query.step,
        grouping=query.grouping,
        zone=query.zone,
        lines=(),
        incomplete=tuple(run for run in firsts if run.status is not RunStatus.COMPLETE),
        repeats=sum(run.repeat_of is not None for run in runs),
        older=max(0, stored_runs.count_runs(store.db, series=query.series) - len(listed))
        if len(listed) == MOST_RUNS
        else 0,
        sample_rates=tuple(run.live.sample_rate for run in usable if run.live is not None and run.live.is_sampled),
    )
    return _by_run(store, trend, usable) if query.step is Step.RUN else _by_time(store, trend, usable, query.series)


def list_worst(store: Store, points: Iterable[TrendPoint], *, limit: int = 20) -> list[WorstAnswer]:
    """Return the answers with the lowest scores behind these points, by the judge's verdicts, worst first."""
    chosen = sorted(points, key=lambda point: point.at, reverse=True)
    if not chosen:
        return []
    ends = [point.end for point in chosen if point.end is not None]
    return trends.list_worst_answers(
        store.db,
        list(dict.fromkeys(run_id for point in chosen for run_id in point.run_ids)),
        start=min(point.at for point in chosen) if ends else None,
        end=max(ends) if ends else None,
        limit=limit,
    )


def run_point(run: Run, score: RunScore, *, rows: int, states: Mapping[str, int]) -> TrendPoint | None:
    """Return the point of a run or a part of it; None without a score."""
    if score.mean is None:
        return None
    return TrendPoint(
        at=run.as_of,
        mean=score.mean,
        interval=score.interval,
        judged=score.judged,
        rows=rows,
        left_out={state: count for state, count in states.items() if count and state != State.JUDGED},
        run_ids=(run.run_id,),
    )


def _by_run(store: Store, trend: Trend, runs: Sequence[Run]) -> Trend:
    """Return the trend with a point for each run."""
    judged = summarise_runs(store, runs)
    # A complete run can have rows that are not judged: it was cancelled before, or its file was truncated.
    whole = [s for s in judged if not s.states.get(State.PENDING)]
    scored = [s for s in whole if s.score.mean is not None]
    models = _find_models(store, trend.grouping, runs)
    lines = _lines(_run_points(scored, trend.grouping, models), runs, trend.grouping)
    if trend.grouping is Grouping.ALL:
        corrected = [summary for summary in correct_summaries(store, scored) if summary.score.mean is not None]
        lines += _lines(_run_points(corrected, trend.grouping, models), runs, trend.grouping, View.CORRECTED)
    return replace(
        trend,
        lines=tuple(lines),
        incomplete=(*trend.incomplete, *(s.run for s in judged if s.states.get(State.PENDING))),
        unscored=tuple(s.run for s in whole if s.score.mean is None),
    )


def _lines(points: _Points, runs: Sequence[Run], grouping: Grouping, view: View = View.JUDGE) -> list[TrendLine]:
    judges = {run.fingerprint: run.judge for run in runs}
    return [
        TrendLine(group=group, fingerprint=end, judge=judges[end], view=view, points=tuple(own), grouping=grouping)
        for (group, end), own in points.items()
    ]


def _find_models(store: Store, grouping: Grouping, runs: Sequence[Run]) -> dict[str, str]:
    """Return by run the model of its answers, if all its rows name the same one; empty if that is not asked for."""
    if grouping is not Grouping.MODEL:
        return {}
    settings = list_settings(store, tuple(run.run_id for run in runs))
    return {run_id: own[EventKind.MODEL] for run_id, own in settings.items() if EventKind.MODEL in own}


def _run_points(summaries: Sequence[RunSummary], grouping: Grouping, models: Mapping[str, str]) -> _Points:
    points: _Points = {}
    for summary in sorted(summaries, key=lambda s: (s.run.as_of, s.run.created_at)):
        run = summary.run
        parts: list[tuple[str | None, TrendPoint | None]]
        if grouping is Grouping.SEGMENT:
            parts = [(s.segment, run_point(run, s.score, rows=s.rows, states=s.states)) for s in summary.segments]
            parts.append((None, _rest_of(summary)))
        else:
            whole = run_point(run, summary.score, rows=summary.rows, states=summary.states)
            parts = [(group_of(run, grouping, models), whole)]
        for group, point in parts:
            if point is not None:
                points.setdefault((group, run.fingerprint), []).append(point)
    return points


def _rest_of(summary: RunSummary) -> TrendPoint | None:
    """Return the point of the answers without a segment: the whole minus all segments; None if there are none.

    It has no interval, because the stored figures of a run do not include the spread of these answers.
    """
    judged = summary.score.judged - sum(s.score.judged for s in summary.segments)
    if judged <= 0 or summary.score.mean is None:
        return None
    total = summary.score.mean * summary.score.judged
    total -= sum((s.score.mean or 0.0) * s.score.judged for s in summary.segments)
    mean = min(1.0, max(0.0, total / judged))
    states = {
        state: count - sum(s.states.get(state, 0) for s in summary.segments)
        for state, count in summary.states.items()
        if all(s.states for s in summary.segments)
    }
    return run_point(
        summary.run,
        RunScore(mean=mean, interval=None, bounds=None, judged=judged, unscored=0),
        rows=summary.rows - sum(s.rows for s in summary.segments),
        states=states,
    )


def _by_time(store: Store, trend: Trend, runs: Sequence[Run], series: str | None) -> Trend:
    """Return the trend with a point for each day, week or month that has judged answers.

    All answers to one question within a day, week or month are one cluster of the interval, in all runs. Answers of
    different sampling rates are weighted by 1 / their own rate. Lines are cached until any run of their series changes.
    """
    states = revisions.list_revisions(store.db, [run.run_id for run in runs])
    known = sorted((run for run in runs if run.run_id in states), key=lambda run: (run.as_of, run.created_at))
    lines, undated = store.cache.get(
        "dated lines",
        (series, trend.step, trend.grouping, trend.zone),
        tuple((run.run_id, states[run.run_id], run.kb_version) for run in known),
        partial(_dated_lines, store, known, trend.step, trend.grouping, trend.zone),
    )
    return replace(trend, lines=lines, undated=undated)


_POINT = ["judge", "group", "day"]


def _dated_lines(
    store: Store, runs: Sequence[Run], step: Step, grouping: Grouping, zone: str
) -> tuple[tuple[TrendLine, ...], int]:
    """Return the lines, and how many rows are left out because they have no plausible time."""
    models = _find_models(store, grouping, runs)
    groups = {run.run_id: group_of(run, grouping, models) for run in runs}
    rows = pd.DataFrame(trends.list_dated_rows(store.db, list(groups)), columns=list(DatedRow._fields))
    rows["at"] = pd.to_datetime(rows["at"], utc=True)
    # Older stores and calls from Python can contain times that files are no longer read with.
    dated = rows[(rows["at"] >= FIRST_MOMENT) & (rows["at"] < END_OF_TIME)]
    day = dated["at"].dt.tz_convert(get_zone(zone)).dt.tz_localize(None).dt.normalize()
    if step is not Step.DAY:
        since = day.dt.day_of_week if step is Step.WEEK else day.dt.day - 1
        day -= pd.to_timedelta(since, unit="D")
    dated = dated.assign(
        judge=dated["run_id"].map({run.run_id: run.fingerprint for run in runs}),
        group=(dated["segment"] if grouping is Grouping.SEGMENT else dated["run_id"].map(groups)).fillna(""),
        day=day,
        weight=1 / dated["inclusion_probability"],
    )
    return tuple(_lines(_time_points(dated, runs, step, grouping, zone), runs, grouping)), len(rows) - len(dated)


def _time_points(dated: pd.DataFrame, runs: Sequence[Run], step: Step, grouping: Grouping, zone: str) -> _Points:
    judged = dated[dated["state"] == State.JUDGED]
    questions = (
        judged.assign(total=judged["score"] * judged["weight"])
        .groupby([*_POINT, "cluster"], as_index=False)
        .agg(answers=("weight", "size"), total=("total", "sum"), weight=("weight", "sum"))
    )
    clusters: dict[Any, list[Cluster]] = {}
    for judge, group, day, _, answers, total, weight in questions.itertuples(index=False, name=None):
        clusters.setdefault((judge, group, day), []).append(Cluster(answers=answers, total=total, weight=weight))
    rows = dict(iter(dated.groupby(_POINT)))
    points: _Points = {}
    for (judge, group, day), own in clusters.items():
        score, of_point = run_score(own, unscored=0), rows[judge, group, day]
        start, end = bounds(day.date(), step, get_zone(zone))
        states, present = Counter(of_point["state"]), set(of_point["run_id"])
        assert score.mean is not None  # noqa: S101 - there are judged answers
        point = TrendPoint(
            at=start,
            end=end,
            mean=score.mean,
            interval=score.interval,
            judged=states.pop(State.JUDGED),
            rows=len(of_point),
            left_out=states,
            run_ids=tuple(run.run_id for run in runs if run.run_id in present),
            questions=len(own),
        )
        points.setdefault((group or ("" if grouping is Grouping.ALL else None), judge), []).append(point)
    return points
