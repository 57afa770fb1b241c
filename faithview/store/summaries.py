"""A run's figures, aggregated in SQL and stored with the run until it changes; and counts of answers by verdicts."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Text, cast, func, select, update

from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.result import State, Usage
from faithview.domain.run import Run, RunSummary, SegmentSummary
from faithview.domain.scoring import Interval, RunScore, hallucination_rate
from faithview.stats.run_score import Cluster, run_score
from faithview.store.claims import results_under
from faithview.store.database import Database
from faithview.store.schema.review import SampleReviewRow
from faithview.store.schema.runs import ClaimRow, ResultRow, RunRow, is_of_runs

# Increase this when the stored figures change shape or meaning; older ones are then recomputed.
_LAYOUT = 5

_USAGE = ("llm_calls", "cached_calls", "prompt_tokens", "cached_prompt_tokens", "completion_tokens")

# Sums of ratios differ in the last digits with the order of addition, so clusters are grouped by rounded values.
_DIGITS = 9


def summarise_run(db: Database, run: Run, *, view: View = View.JUDGE) -> RunSummary:
    """Return the run's figures; the stored ones if the run has not changed since."""
    return summarise_runs(db, [run], view=view)[0]


def summarise_runs(db: Database, runs: list[Run], *, view: View = View.JUDGE) -> list[RunSummary]:
    """Return each run's figures, in the given order; a run without labels has the judge's figures in every view."""
    ids = [run.run_id for run in runs]
    with db.read() as connection:
        query = select(RunRow.id, RunRow.summary, RunRow.summary_revision, RunRow.revision).where(RunRow.id.in_(ids))
        stored = {
            row.id: row.summary
            for row in connection.execute(query)
            if row.summary and row.summary_revision == row.revision and row.summary["layout"] == _LAYOUT
        }
        reviewed = set() if view is View.JUDGE else _find_labelled_runs(connection, ids)
        return [
            _from_json(run, stored[run.run_id])
            if run.run_id in stored and run.run_id not in reviewed
            else _compute(connection, run, view if run.run_id in reviewed else View.JUDGE)
            for run in runs
        ]


def sum_usage(db: Database, run_id: str) -> Usage:
    """Return the calls, tokens and costs of a run so far."""
    sums = [func.sum(getattr(ResultRow, name)).label(name) for name in (*_USAGE, "cost_usd")]
    with db.read() as connection:
        row = connection.execute(select(*sums).where(ResultRow.run_id == run_id)).one()
    return Usage(**{name: int(getattr(row, name) or 0) for name in _USAGE}, cost_usd=row.cost_usd)


def count_errors(db: Database, run_id: str) -> Mapping[str, int]:
    """Return the errors of the run's failed answers, with their counts."""
    query = (
        select(ResultRow.error, func.count())
        .where(ResultRow.run_id == run_id, ResultRow.state == State.FAILED)
        .group_by(ResultRow.error)
    )
    with db.read() as connection:
        return {row[0] or "": row[1] for row in connection.execute(query)}


def count_warnings(db: Database, run_id: str) -> list[tuple[tuple[str, ...], int]]:
    """Return the sets of warnings of the run's answers, with the number of answers that have exactly that set."""
    # As text, because PostgreSQL cannot compare two values of type json.
    warnings = cast(ResultRow.warnings, Text)
    query = (
        select(warnings, func.count())
        .where(ResultRow.run_id == run_id, ResultRow.warnings.is_not(None))
        .group_by(warnings)
    )
    with db.read() as connection:
        return [(tuple(json.loads(row[0]) or ()), row[1]) for row in connection.execute(query)]


def keep_summary(db: Database, run: Run) -> RunSummary:
    """Compute the judge's figures of a run and store them with it; the run must not change during this."""
    with db.bookkeep() as connection:
        revision = connection.execute(select(RunRow.revision).where(RunRow.id == run.run_id)).scalar_one_or_none()
        summary = _compute(connection, run, View.JUDGE)
        connection.execute(
            update(RunRow).where(RunRow.id == run.run_id).values(summary=_to_json(summary), summary_revision=revision)
        )
    return summary


def _find_labelled_runs(connection: Connection, run_ids: list[str]) -> set[str]:
    query = select(SampleReviewRow.run_id).where(SampleReviewRow.run_id.in_(run_ids)).distinct()
    return set(connection.execute(query).scalars())


def _compute(connection: Connection, run: Run, view: View) -> RunSummary:
    scores = results_under(view).c
    counted = [
        func.count().label("rows"),
        *(func.sum(scores[verdict.value]).label(verdict.value) for verdict in Verdict),
        *(func.sum(scores[name]).label(name) for name in (*_USAGE, "cost_usd")),
    ]
    in_run = scores.run_id == run.run_id
    by_state = {
        row.state: row
        for row in connection.execute(select(scores.state, *counted).where(in_run).group_by(scores.state))
    }
    states = {state.value: by_state[state].rows if state in by_state else 0 for state in State}
    claims = {v.value: sum(int(getattr(row, v.value)) for row in by_state.values()) for v in Verdict}
    inclusion = _inclusion(connection, run.run_id)
    is_weighted = inclusion[0] < inclusion[1]
    mean: ColumnElement[Any] = func.avg(scores.faithfulness_weighted)
    if is_weighted:
        mean = func.sum(scores.faithfulness_weighted * _weight(scores)) / func.sum(_weight(scores))
    means = connection.execute(
        select(
            mean.label("weighted"),
            func.count(scores.faithfulness_weighted).label("weighted_rows"),
            func.count().label("rows"),
            func.count().filter(scores.is_faithful.is_(True)).label("faithful"),
        ).where(in_run, scores.state == State.JUDGED)
    ).one()
    costs = [row.cost_usd for row in by_state.values() if row.cost_usd is not None]
    return RunSummary(
        run=run,
        rows=sum(states.values()),
        states=states,
        claims=claims,
        score=_mean_score(connection, view, run.run_id, states, is_weighted=is_weighted),
        # Answers that another tool scored without claims have no claims, and a mean over the rest would cover other
        # answers.
        weighted=None if means.weighted is None or means.weighted_rows < means.rows else float(means.weighted),
        faithful_rows=means.faithful,
        hallucination_rate=_weighted_rate(connection, scores, run.run_id)
        if is_weighted
        else hallucination_rate(claims),
        segments=_segment_summaries(connection, view, run.run_id, is_weighted=is_weighted),
        inclusion=inclusion,
        usage=Usage(
            **{name: sum(int(getattr(row, name) or 0) for row in by_state.values()) for name in _USAGE},
            cost_usd=sum(costs) if costs else None,
        ),
        decided_by=_count_deciders(connection, run.run_id) if run.judge.is_cascade else {},
    )


def _count_deciders(connection: Connection, run_id: str) -> dict[str, int]:
    query = (
        select(ClaimRow.decided_by, func.count())
        .where(is_of_runs(run_id), ClaimRow.decided_by.is_not(None))
        .group_by(ClaimRow.decided_by)
        .order_by(ClaimRow.decided_by)
    )
    return {str(row[0]): row[1] for row in connection.execute(query)}


def _mean_score(
    connection: Connection,
    view: View,
    run_id: str,
    states: Mapping[str, int],
    *,
    is_weighted: bool,
    segment: str | None = None,
) -> RunScore:
    """Return the mean of a run or of a segment, weighted by 1 / the inclusion probability if these differ."""
    scores = results_under(view).c
    where = [scores.run_id == run_id] if segment is None else [scores.run_id == run_id, scores.segment == segment]
    without = None
    if is_weighted:
        unscored = scores.state.in_((State.FAILED, State.PENDING))
        without = float(connection.execute(select(func.sum(_weight(scores))).where(*where, unscored)).scalar() or 0.0)
    judged = [*where, scores.state == State.JUDGED]
    clusters = _clusters(connection, scores, judged, is_weighted=is_weighted)
    total = _sum_scores(connection, scores, judged, is_weighted=is_weighted)
    return run_score(
        clusters,
        unscored=states.get(State.FAILED, 0) + states.get(State.PENDING, 0),
        unscored_weight=without,
        total=total,
    )


def _sum_scores(
    connection: Connection, scores: Any, where: Sequence[ColumnElement[bool]], *, is_weighted: bool
) -> float:
    """Return the exact sum of the scores, each divided by its inclusion probability if these differ.

    Databases add floats in any order, and clusters are rounded, but a mean of 0.9 must not show as 0.9000000001.
    """
    kinds = (scores.faithfulness, _weight(scores)) if is_weighted else (scores.faithfulness,)
    query = select(*kinds, func.count()).where(*where).group_by(*kinds)
    return math.fsum(math.prod(row) for row in connection.execute(query) if row[0] is not None)


def _clusters(
    connection: Connection, scores: Any, where: Sequence[ColumnElement[bool]], *, is_weighted: bool
) -> list[Cluster]:
    """Return the judged answers by question; questions with equal counts are one row, to read few rows."""
    total = scores.faithfulness * _weight(scores) if is_weighted else scores.faithfulness
    size = func.sum(_weight(scores)) if is_weighted else func.count()
    questions = (
        select(func.count().label("answers"), func.sum(total).label("total"), size.label("size"))
        .where(*where)
        .group_by(scores.cluster)
        .subquery()
    )
    kinds = (questions.c.answers, questions.c.total, questions.c.size)
    merged: dict[tuple[int, float, float], int] = {}
    for row in connection.execute(select(*kinds, func.count().label("number")).group_by(*kinds)):
        identity = (int(row.answers), round(float(row.total), _DIGITS), round(float(row.size), _DIGITS))
        merged[identity] = merged.get(identity, 0) + int(row.number)
    return [
        Cluster(answers=answers, total=total, count=number, weight=size if is_weighted else None)
        for (answers, total, size), number in sorted(merged.items())
    ]


def _weight(scores: Any) -> ColumnElement[Any]:
    weight: ColumnElement[Any] = 1.0 / func.coalesce(scores.inclusion_probability, 1.0)
    return weight


def _inclusion(connection: Connection, run_id: str) -> tuple[float, float]:
    """Return the lowest and the highest inclusion probability of a run's answers."""
    chance = func.coalesce(ResultRow.inclusion_probability, 1.0)
    lowest, highest = connection.execute(
        select(func.min(chance), func.max(chance)).where(ResultRow.run_id == run_id)
    ).one()
    return (1.0, 1.0) if lowest is None or highest is None else (float(lowest), float(highest))


def _weighted_rate(connection: Connection, scores: Any, run_id: str) -> float | None:
    """Return claims not supported / all claims, weighted by 1 / the answer's inclusion probability."""
    weight = _weight(scores)
    claims, supported = connection.execute(
        select(func.sum(scores.claims * weight), func.sum(scores.supported * weight)).where(scores.run_id == run_id)
    ).one()
    return None if not claims else (float(claims) - float(supported)) / float(claims)


def _segment_summaries(
    connection: Connection, view: View, run_id: str, *, is_weighted: bool
) -> tuple[SegmentSummary, ...]:
    scores = results_under(view).c
    query = (
        select(scores.segment, scores.state, func.count().label("rows"))
        .where(scores.run_id == run_id, scores.segment.is_not(None))
        .group_by(scores.segment, scores.state)
    )
    states: dict[str, dict[str, int]] = {}
    for row in connection.execute(query):
        states.setdefault(str(row.segment), {})[row.state] = row.rows
    return tuple(
        SegmentSummary(
            segment=name,
            rows=sum(states[name].values()),
            score=_mean_score(connection, view, run_id, states[name], is_weighted=is_weighted, segment=name),
            states=states[name],
        )
        for name in sorted(states)
    )


def _to_json(summary: RunSummary) -> dict[str, Any]:
    usage = summary.usage
    return {
        "layout": _LAYOUT,
        "rows": summary.rows,
        "states": dict(summary.states),
        "claims": dict(summary.claims),
        "score": _score_to_json(summary.score),
        "weighted": summary.weighted,
        "faithful_rows": summary.faithful_rows,
        "segments": [[s.segment, s.rows, _score_to_json(s.score), dict(s.states)] for s in summary.segments],
        "usage": asdict(usage),
        "hallucination_rate": summary.hallucination_rate,
        "inclusion": list(summary.inclusion),
        "decided_by": dict(summary.decided_by),
    }


def _from_json(run: Run, stored: dict[str, Any]) -> RunSummary:
    return RunSummary(
        run=run,
        rows=stored["rows"],
        states=stored["states"],
        claims=stored["claims"],
        score=_score_from_json(stored["score"]),
        weighted=stored["weighted"],
        faithful_rows=stored["faithful_rows"],
        hallucination_rate=stored["hallucination_rate"],
        inclusion=(stored["inclusion"][0], stored["inclusion"][1]),
        segments=tuple(
            SegmentSummary(segment=name, rows=rows, score=_score_from_json(score), states=states)
            for name, rows, score, states in stored["segments"]
        ),
        usage=Usage(**stored["usage"]),
        decided_by=stored.get("decided_by", {}),  # figures that are older than cascades have none
    )


def _score_to_json(score: RunScore) -> list[Any]:
    return [score.mean, _bounds(score.interval), _bounds(score.bounds), score.judged, score.unscored]


def _bounds(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def _score_from_json(stored: list[Any]) -> RunScore:
    mean, interval, bounds, judged, unscored = stored
    return RunScore(
        mean=mean,
        interval=Interval(*interval) if interval else None,
        bounds=Interval(*bounds) if bounds else None,
        judged=judged,
        unscored=unscored,
    )


class Tally(NamedTuple):
    """The number of judged answers with these numbers of claims."""

    claims: int
    supported: int
    answers: int


def count_verdicts(db: Database, run_id: str) -> list[Tally]:
    """Count the judged answers of a run by the judge's verdicts."""
    scores = results_under(View.JUDGE).c
    kinds = (scores.claims, scores.supported)
    query = (
        select(*kinds, func.count())
        .where(scores.run_id == run_id, scores.state == State.JUDGED)
        .group_by(*kinds)
        .order_by(*kinds)
    )
    with db.read() as connection:
        return [Tally(*row) for row in connection.execute(query)]
