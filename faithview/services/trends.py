"""Faithfulness over time: by run from the runs' stored figures, by day, week and month from the rows' own times.

Every line has one exact judge (its fingerprint covers judge, method and prompt), so scores with different meanings are
never joined. Repeats of a run are not separate points. Incomplete runs are left out and listed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from faithview.domain.answer import View
from faithview.domain.buckets import Step, get_zone
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.scoring import RunScore
from faithview.domain.series import has_trend
from faithview.domain.trend import Grouping, Trend, TrendLine, TrendPoint, WorstAnswer, group_of
from faithview.services.container import Store
from faithview.services.results import list_runs, summarise_runs
from faithview.services.review.corrected_score import correct_summaries
from faithview.services.trend_by_time import dated_lines, find_models
from faithview.store import runs as stored_runs
from faithview.store import trends

MOST_RUNS = 500

_Key = tuple[str | None, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendQuery:
    """The settings of a trend.

    `zone` names the time zone of days, weeks and months; `series` restricts the trend to one series' runs.
    """

    step: Step = Step.RUN
    grouping: Grouping = Grouping.ALL
    zone: str = "UTC"
    series: str | None = None
    limit: int = MOST_RUNS


def load_trend(store: Store, query: TrendQuery) -> Trend:
    """Return the lines of the newest runs by the judge's verdicts and, without groups, of their corrected scores.

    Answers that were checked one at a time are left out. The corrected line has points only for runs whose spot-check
    has enough labels for an estimate. An estimate is for a whole run, so it does not exist by the rows' own times.

    Args:
        store: the store.
        query: the unit of time, the grouping of lines, and the number of runs.

    Raises:
        InvalidInput: there is no such time zone.
    """
    get_zone(query.zone)
    listed = list_runs(store, series=query.series, limit=query.limit)
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
        if len(listed) == query.limit
        else 0,
        sample_rates=tuple(run.live.sample_rate for run in usable if run.live is not None and run.live.is_sampled),
    )
    if query.step is Step.RUN:
        return _by_run(store, trend, usable)
    dated = dated_lines(store, usable, series=query.series, step=query.step, grouping=query.grouping, zone=query.zone)
    return replace(trend, lines=dated.lines, undated=dated.undated)


def list_worst(
    store: Store,
    points: Iterable[TrendPoint],
    *,
    segment: str | None = None,
    limit: int = 20,
) -> list[WorstAnswer]:
    """Return the answers with the lowest scores behind these points, by the judge's verdicts, worst first.

    `segment` restricts it to one segment, "" to answers without a segment.
    """
    chosen = sorted(points, key=lambda point: point.at, reverse=True)
    if not chosen:
        return []
    run_ids = list(dict.fromkeys(run_id for point in chosen for run_id in point.run_ids))
    ends = [point.end for point in chosen if point.end is not None]
    return trends.list_worst_answers(
        store.db,
        run_ids,
        segment=segment,
        start=min(point.at for point in chosen) if ends else None,
        end=max(ends) if ends else None,
        limit=limit,
    )


def _by_run(store: Store, trend: Trend, runs: Sequence[Run]) -> Trend:
    judged = summarise_runs(store, runs)
    # A complete run can have rows that are not judged: it was cancelled before, or its file was truncated.
    whole = [s for s in judged if not s.states.get(State.PENDING)]
    scored = [s for s in whole if s.score.mean is not None]
    models = find_models(store, runs) if trend.grouping is Grouping.MODEL else {}
    lines = _trend_lines(scored, trend.grouping, View.JUDGE, models)
    if trend.grouping is Grouping.ALL:
        corrected = [summary for summary in correct_summaries(store, scored) if summary.score.mean is not None]
        lines += _trend_lines(corrected, trend.grouping, View.CORRECTED, models)
    return replace(
        trend,
        lines=tuple(lines),
        incomplete=(*trend.incomplete, *(s.run for s in judged if s.states.get(State.PENDING))),
        unscored=tuple(s.run for s in whole if s.score.mean is None),
    )


def _trend_lines(
    summaries: Sequence[RunSummary], grouping: Grouping, view: View, models: Mapping[str, str]
) -> list[TrendLine]:
    points: dict[_Key, list[TrendPoint]] = {}
    judges = {}
    for summary in sorted(summaries, key=lambda s: (s.run.as_of, s.run.created_at)):
        judges[summary.run.fingerprint] = summary.run.judge
        for group, point in _run_points(summary, grouping, models):
            points.setdefault((group, summary.run.fingerprint), []).append(point)
    return [
        TrendLine(
            group=group, fingerprint=print_, judge=judges[print_], view=view, points=tuple(own), grouping=grouping
        )
        for (group, print_), own in points.items()
    ]


def _run_points(
    summary: RunSummary, grouping: Grouping, models: Mapping[str, str]
) -> list[tuple[str | None, TrendPoint]]:
    run = summary.run
    if grouping is not Grouping.SEGMENT:
        point = run_point(run, summary.score, rows=summary.rows, states=summary.states)
        return [(group_of(run, grouping, models), point)] if point else []
    points = [(s.segment, run_point(run, s.score, rows=s.rows, states=s.states)) for s in summary.segments]
    return [*((name, point) for name, point in points if point is not None), *_rest_of(summary)]


def _rest_of(summary: RunSummary) -> list[tuple[str | None, TrendPoint]]:
    """Return the point of the answers without a segment: the whole minus all segments.

    It has no interval, because the stored figures of a run do not include the spread of these answers.
    """
    judged = summary.score.judged - sum(s.score.judged for s in summary.segments)
    if judged <= 0 or summary.score.mean is None:
        return []
    total = summary.score.mean * summary.score.judged
    total -= sum((s.score.mean or 0.0) * s.score.judged for s in summary.segments)
    mean = min(1.0, max(0.0, total / judged))
    rows = summary.rows - sum(s.rows for s in summary.segments)
    score = RunScore(mean=mean, interval=None, bounds=None, judged=judged, unscored=0)
    states = {
        state: count - sum(s.states.get(state, 0) for s in summary.segments)
        for state, count in summary.states.items()
        if all(s.states for s in summary.segments)
    }
    point = run_point(summary.run, score, rows=rows, states=states)
    return [(None, point)] if point else []


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


def in_range(points: Iterable[TrendPoint], start: datetime, end: datetime) -> list[TrendPoint]:
    """Return the points within a span of time, both ends included."""
    return [point for point in points if start <= point.at <= end]
