"""Faithfulness by the rows' own timestamps: the mean of each day, week or month."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from faithview.domain.answer import View
from faithview.domain.buckets import END_OF_TIME, FIRST_MOMENT, Step, bounds, get_zone
from faithview.domain.event import EventKind
from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.domain.trend import Grouping, TrendLine, TrendPoint, group_of
from faithview.services.container import Store
from faithview.services.events import list_settings
from faithview.stats.run_score import Cluster, run_score
from faithview.store import revisions, trends
from faithview.store.trends import DatedRow

_POINT = ["judge", "group", "day"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedLines:
    """Lines by day, week or month; `undated` counts the rows without a plausible timestamp, which are left out."""

    lines: tuple[TrendLine, ...]
    undated: int


def dated_lines(
    store: Store,
    runs: Sequence[Run],
    *,
    series: str | None,
    step: Step,
    grouping: Grouping,
    zone: str,
) -> DatedLines:
    """Return a line for each group and judge, with a point for each day, week or month that has judged answers.

    All answers to one question within a day, week or month are one cluster of the interval, in all runs. Answers of
    different sampling rates are weighted by 1 / their own rate. Lines are cached until any run of their series changes.

    Raises:
        InvalidInput: there is no such time zone.
    """
    states = revisions.list_revisions(store.db, [run.run_id for run in runs])
    known = [run for run in runs if run.run_id in states]
    known.sort(key=lambda run: (run.as_of, run.created_at))
    state = tuple((run.run_id, states[run.run_id], run.kb_version) for run in known)
    return store.cache.get(
        "dated lines",
        (series, step, grouping, zone),
        state,
        partial(_compute_lines, store, known, step=step, grouping=grouping, zone=zone),
    )


def find_models(store: Store, runs: Sequence[Run]) -> dict[str, str]:
    """Return by run the model of its answers, if all its rows name the same one."""
    settings = list_settings(store, tuple(run.run_id for run in runs))
    return {run_id: own[EventKind.MODEL] for run_id, own in settings.items() if EventKind.MODEL in own}


def _compute_lines(store: Store, runs: Sequence[Run], *, step: Step, grouping: Grouping, zone: str) -> DatedLines:
    models = find_models(store, runs) if grouping is Grouping.MODEL else {}
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
    points = _points(dated, [run.run_id for run in runs], step, zone)
    judges = {run.fingerprint: run.judge for run in runs}
    return DatedLines(
        lines=tuple(
            TrendLine(
                group=group or ("" if grouping is Grouping.ALL else None),
                fingerprint=judge,
                judge=judges[judge],
                view=View.JUDGE,
                points=tuple(own),
                grouping=grouping,
            )
            for (judge, group), own in points.items()
        ),
        undated=len(rows) - len(dated),
    )


def _points(
    dated: pd.DataFrame, order: Sequence[str], step: Step, zone: str
) -> dict[tuple[str, str], list[TrendPoint]]:
    """Return the points of each judge and group, "" for none, oldest first."""
    judged = dated[dated["state"] == State.JUDGED]
    judged = judged.assign(total=judged["score"] * judged["weight"])
    questions = judged.groupby([*_POINT, "cluster"], as_index=False).agg(
        answers=("weight", "size"), total=("total", "sum"), weight=("weight", "sum")
    )
    clusters: dict[Any, list[Cluster]] = {}
    for judge, group, day, _, answers, total, weight in questions.itertuples(index=False, name=None):
        cluster = Cluster(answers=answers, total=total, weight=weight)
        clusters.setdefault((judge, group, day), []).append(cluster)
    rows = dict(iter(dated.groupby(_POINT)))
    points: dict[tuple[str, str], list[TrendPoint]] = {}
    for (judge, group, day), own in clusters.items():
        score, of_point = run_score(own, unscored=0), rows[judge, group, day]
        start, end = bounds(day.date(), step, get_zone(zone))
        states = Counter(of_point["state"])
        judged_answers = states.pop(State.JUDGED)
        present = set(of_point["run_id"])
        assert score.mean is not None  # noqa: S101 - there are judged answers
        point = TrendPoint(
            at=start,
            end=end,
            mean=score.mean,
            interval=score.interval,
            judged=judged_answers,
            rows=len(of_point),
            left_out=states,
            run_ids=tuple(run_id for run_id in order if run_id in present),
            questions=sum(cluster.count for cluster in own),
        )
        points.setdefault((judge, group), []).append(point)
    return points
