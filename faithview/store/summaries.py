"""A run's figures, aggregated in SQL and stored with the run until it changes; and counts of answers by verdicts."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Text, cast, func, select, update

from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.result import State, Usage
from faithview.domain.run import Run, RunSummary, SegmentSummary
from faithview.domain.scoring import Interval, RunScore, hallucination_rate
from faithview.stats.run_score import Cluster, run_score
from faithview.store import dialect
from faithview.store.claims import results_under
from faithview.store.database import Database
from faithview.store.schema.review import SampleReviewRow
from faithview.store.schema.runs import ClaimRow, ResultRow, RunRow, is_of_runs

# Increase this when the stored figures change shape or meaning; older ones are then recomputed.
_LAYOUT = 6

_USAGE = ("llm_calls", "cached_calls", "prompt_tokens", "cached_prompt_tokens", "completion_tokens")


def summarise_runs(db: Database, runs: list[Run], *, view: View = View.JUDGE) -> list[RunSummary]:
    """Return each run's figures, in the given order; a run without labels has the judge's figures in every view."""
    ids = [run.run_id for run in runs]
    with db.read() as connection:
        query = select(RunRow.id, RunRow.summary, RunRow.summary_revision, RunRow.revision).where(
            dialect.among(RunRow.id, ids)
        )
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
        return {error or "": answers for error, answers in connection.execute(query)}


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
        return [(tuple(json.loads(kinds) or ()), answers) for kinds, answers in connection.execute(query)]


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
    query = select(SampleReviewRow.run_id).where(dialect.among(SampleReviewRow.run_id, run_ids)).distinct()
    return set(connection.execute(query).scalars())


def _compute(connection: Connection, run: Run, view: View) -> RunSummary:
    scores = results_under(view).c
    in_run = scores.run_id == run.run_id
    chance: ColumnElement[Any] = func.coalesce(scores.inclusion_probability, 1.0)
    sums = [*Verdict, *_USAGE, "cost_usd"]
    query = select(
        scores.state,
        func.count().label("rows"),
        *(func.sum(scores[name]).label(str(name)) for name in sums),
        func.min(chance).label("lowest"),
        func.max(chance).label("highest"),
        func.sum(1.0 / chance).label("weight"),
        func.sum(scores.faithfulness_weighted / chance).label("weighted"),
        func.count(scores.faithfulness_weighted).label("weighted_rows"),
        func.count().filter(scores.is_faithful.is_(True)).label("faithful"),
        func.sum(scores.claims / chance).label("claims_weight"),
        func.sum(scores.supported / chance).label("supported_weight"),
    )
    by_state = {row.state: row for row in connection.execute(query.where(in_run).group_by(scores.state))}
    found = by_state.values()
    states = {state.value: by_state[state].rows if state in by_state else 0 for state in State}
    claims = {verdict.value: sum(int(getattr(row, verdict)) for row in found) for verdict in Verdict}
    inclusion = (
        float(min((row.lowest for row in found), default=1)),
        float(max((row.highest for row in found), default=1)),
    )
    rate = hallucination_rate(claims)
    if inclusion[0] < inclusion[1]:
        of_claims = sum(float(row.claims_weight) for row in found)
        rate = (of_claims - sum(float(row.supported_weight) for row in found)) / of_claims if of_claims else None
    answers = select(scores.segment, scores.state, scores.cluster, scores.faithfulness, chance.label("chance"))
    rows = connection.execute(answers.where(in_run)).all()
    by_segment: dict[str, list[Row[*tuple[Any, ...]]]] = {}
    for row in rows:
        if row.segment is not None:
            by_segment.setdefault(row.segment, []).append(row)
    judged = by_state.get(State.JUDGED)
    costs = [row.cost_usd for row in found if row.cost_usd is not None]
    return RunSummary(
        run=run,
        rows=len(rows),
        states=states,
        claims=claims,
        score=_mean_score(rows),
        # Answers that another tool scored without claims have no claims, and a mean over the rest would cover other
        # answers.
        weighted=float(judged.weighted / judged.weight) if judged and judged.weighted_rows == judged.rows else None,
        faithful_rows=judged.faithful if judged else 0,
        hallucination_rate=rate,
        segments=tuple(
            SegmentSummary(
                segment=name, rows=len(own), score=_mean_score(own), states=dict(Counter(row.state for row in own))
            )
            for name, own in sorted(by_segment.items())
        ),
        inclusion=inclusion,
        usage=Usage(
            **{name: sum(int(getattr(row, name) or 0) for row in found) for name in _USAGE},
            cost_usd=sum(costs) if costs else None,
        ),
        decided_by=_count_deciders(connection, run.run_id) if run.judge.is_cascade else {},
    )


def _mean_score(rows: Sequence[Row[*tuple[Any, ...]]]) -> RunScore:
    """Return the mean score of answers with its interval, weighted by 1 / the inclusion probability if these differ."""
    is_weighted = len({row.chance for row in rows}) > 1
    unscored = [row.chance for row in rows if row.state in (State.FAILED, State.PENDING)]
    by_question: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.state == State.JUDGED:
            weight = 1 / row.chance if is_weighted else 1.0
            by_question.setdefault(row.cluster, []).append((row.faithfulness * weight, weight))
    return run_score(
        [
            Cluster(
                answers=len(own),
                total=math.fsum(score for score, _ in own),
                weight=math.fsum(weight for _, weight in own) if is_weighted else None,
            )
            for own in by_question.values()
        ],
        unscored=len(unscored),
        unscored_weight=math.fsum(1 / chance for chance in unscored) if is_weighted else None,
    )


def _count_deciders(connection: Connection, run_id: str) -> dict[str, int]:
    query = (
        select(ClaimRow.decided_by, func.count())
        .where(is_of_runs(run_id), ClaimRow.decided_by.is_not(None))
        .group_by(ClaimRow.decided_by)
        .order_by(ClaimRow.decided_by)
    )
    return {str(row[0]): row[1] for row in connection.execute(query)}


def _to_json(summary: RunSummary) -> dict[str, Any]:
    figures = asdict(summary)
    del figures["run"]
    return {"layout": _LAYOUT, **figures}


def _from_json(run: Run, stored: dict[str, Any]) -> RunSummary:
    figures = {name: value for name, value in stored.items() if name != "layout"}
    figures |= {
        "score": _score_from_json(stored["score"]),
        "segments": tuple(
            SegmentSummary(**{**segment, "score": _score_from_json(segment["score"])}) for segment in stored["segments"]
        ),
        "inclusion": tuple(stored["inclusion"]),
        "usage": Usage(**stored["usage"]),
    }
    return RunSummary(run=run, **figures)


def _score_from_json(stored: dict[str, Any]) -> RunScore:
    intervals = {name: Interval(**stored[name]) if stored[name] else None for name in ("interval", "bounds")}
    return RunScore(**{**stored, **intervals})


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
