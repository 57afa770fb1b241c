"""A run's figures, aggregated in SQL and kept with the run until it changes."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, select, update

from faithview.domain.claim import Verdict
from faithview.domain.result import State, Usage
from faithview.domain.run import Run, RunSummary, SegmentSummary
from faithview.domain.scoring import Cluster, Interval, RunScore, hallucination_rate, run_score
from faithview.store.database import Database
from faithview.store.schema import ResultRow, RunRow

# Grows when what is kept changes shape, so that figures kept by an older FaithView are computed again.
_LAYOUT = 1

# Sums of a few ratios differ in the last digits by the order of addition; clusters are grouped by what counts.
_DIGITS = 9


def summarise_run(db: Database, run: Run) -> RunSummary:
    """Return the run's figures, from what was kept if the run has not changed since."""
    return summarise_runs(db, [run])[0]


def summarise_runs(db: Database, runs: list[Run]) -> list[RunSummary]:
    """Return the figures of each run, in the given order."""
    with db.read() as connection:
        query = select(RunRow.id, RunRow.summary, RunRow.summary_revision, RunRow.revision).where(
            RunRow.id.in_([run.run_id for run in runs])
        )
        kept = {
            row.id: row.summary
            for row in connection.execute(query)
            if row.summary and row.summary_revision == row.revision and row.summary["layout"] == _LAYOUT
        }
        return [_from_json(run, kept[run.run_id]) if run.run_id in kept else _compute(connection, run) for run in runs]


def keep_summary(db: Database, run: Run) -> RunSummary:
    """Compute the run's figures and keep them with it; for a run that nobody writes to just now."""
    with db.write() as connection:
        revision = connection.execute(select(RunRow.revision).where(RunRow.id == run.run_id)).scalar_one_or_none()
        summary = _compute(connection, run)
        connection.execute(
            update(RunRow).where(RunRow.id == run.run_id).values(summary=_to_json(summary), summary_revision=revision)
        )
    return summary


def _compute(connection: Connection, run: Run) -> RunSummary:
    counted = [
        func.count().label("rows"),
        func.sum(ResultRow.claims).label("claims"),
        *(func.sum(getattr(ResultRow, verdict.value)).label(verdict.value) for verdict in Verdict),
        *(
            func.sum(getattr(ResultRow, name)).label(name)
            for name in ("llm_calls", "cached_calls", "prompt_tokens", "completion_tokens", "cost_usd")
        ),
    ]
    in_run = ResultRow.run_id == run.run_id
    by_state = {
        row.state: row
        for row in connection.execute(select(ResultRow.state, *counted).where(in_run).group_by(ResultRow.state))
    }
    states = {state.value: by_state[state].rows if state in by_state else 0 for state in State}
    claims = {v.value: sum(int(getattr(row, v.value)) for row in by_state.values()) for v in Verdict}
    means = connection.execute(
        select(
            func.avg(ResultRow.faithfulness_weighted).label("weighted"),
            func.count().filter(ResultRow.is_faithful.is_(True)).label("faithful"),
        ).where(in_run, ResultRow.state == State.JUDGED)
    ).one()
    costs = [row.cost_usd for row in by_state.values() if row.cost_usd is not None]
    return RunSummary(
        run=run,
        rows=sum(states.values()),
        states=states,
        claims=claims,
        score=run_score(_clusters(connection, run.run_id), unscored=_unscored(states)),
        weighted=None if means.weighted is None else float(means.weighted),
        faithful_rows=means.faithful,
        hallucination_rate=hallucination_rate(claims),
        segments=_segments(connection, run.run_id),
        usage=Usage(
            llm_calls=sum(int(row.llm_calls) for row in by_state.values()),
            cached_calls=sum(int(row.cached_calls) for row in by_state.values()),
            prompt_tokens=sum(int(row.prompt_tokens) for row in by_state.values()),
            completion_tokens=sum(int(row.completion_tokens) for row in by_state.values()),
            cost_usd=sum(costs) if costs else None,
        ),
    )


def _unscored(states: Mapping[str, int]) -> int:
    return states.get(State.FAILED, 0) + states.get(State.PENDING, 0)


def _clusters(connection: Connection, run_id: str, segment: str | None = None) -> list[Cluster]:
    """Return the judged answers by question; equal questions as one row, so that few rows leave the database."""
    per_question = select(func.count().label("answers"), func.sum(ResultRow.faithfulness).label("total")).where(
        ResultRow.run_id == run_id, ResultRow.state == State.JUDGED
    )
    if segment is not None:
        per_question = per_question.where(ResultRow.segment == segment)
    questions = per_question.group_by(ResultRow.cluster).subquery()
    query = select(questions.c.answers, questions.c.total, func.count().label("number")).group_by(
        questions.c.answers, questions.c.total
    )
    merged: dict[tuple[int, float], int] = {}
    for row in connection.execute(query):
        identity = (int(row.answers), round(float(row.total), _DIGITS))
        merged[identity] = merged.get(identity, 0) + int(row.number)
    return [Cluster(answers=a, total=t, count=n) for (a, t), n in sorted(merged.items())]


def _segments(connection: Connection, run_id: str) -> tuple[SegmentSummary, ...]:
    query = (
        select(ResultRow.segment, ResultRow.state, func.count().label("rows"))
        .where(ResultRow.run_id == run_id, ResultRow.segment.is_not(None))
        .group_by(ResultRow.segment, ResultRow.state)
    )
    states: dict[str, dict[str, int]] = {}
    for row in connection.execute(query):
        states.setdefault(str(row.segment), {})[row.state] = row.rows
    return tuple(
        SegmentSummary(
            segment=name,
            rows=sum(states[name].values()),
            score=run_score(_clusters(connection, run_id, name), unscored=_unscored(states[name])),
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
        "segments": [[s.segment, s.rows, _score_to_json(s.score)] for s in summary.segments],
        "usage": [
            usage.llm_calls,
            usage.cached_calls,
            usage.prompt_tokens,
            usage.completion_tokens,
            usage.cost_usd,
        ],
    }


def _from_json(run: Run, kept: dict[str, Any]) -> RunSummary:
    llm_calls, cached_calls, prompt_tokens, completion_tokens, cost_usd = kept["usage"]
    return RunSummary(
        run=run,
        rows=kept["rows"],
        states=kept["states"],
        claims=kept["claims"],
        score=_score_from_json(kept["score"]),
        weighted=kept["weighted"],
        faithful_rows=kept["faithful_rows"],
        hallucination_rate=hallucination_rate(kept["claims"]),
        segments=tuple(
            SegmentSummary(segment=name, rows=rows, score=_score_from_json(score))
            for name, rows, score in kept["segments"]
        ),
        usage=Usage(
            llm_calls=llm_calls,
            cached_calls=cached_calls,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost_usd=cost_usd,
        ),
    )


def _score_to_json(score: RunScore) -> list[Any]:
    return [score.mean, _pair(score.interval), _pair(score.bounds), score.judged, score.unscored]


def _pair(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def _score_from_json(kept: list[Any]) -> RunScore:
    mean, interval, bounds, judged, unscored = kept
    return RunScore(
        mean=mean,
        interval=Interval(*interval) if interval else None,
        bounds=Interval(*bounds) if bounds else None,
        judged=judged,
        unscored=unscored,
    )
