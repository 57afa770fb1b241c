"""The answers of many runs for trends: with timestamps, with the columns for pairing, and the worst ones."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from faithview.domain.answer import View
from faithview.domain.pairing import AnswerIdentity, identify
from faithview.domain.result import State
from faithview.domain.trend import WorstAnswer
from faithview.store import dialect
from faithview.store.claims import results_under
from faithview.store.database import Database
from faithview.store.schema.runs import RunRow, SampleRow

_MOST_IDS = 500
_SHOWN_CHARACTERS = 240


class DatedRow(NamedTuple):
    """One row of a run: the time of its answer (None if unknown), and its score.

    `cluster` identifies the question; `inclusion_probability` is as in `Sample`.
    """

    run_id: str
    at: datetime | None
    state: str
    segment: str | None
    cluster: str
    score: float | None
    inclusion_probability: float


def list_dated_rows(db: Database, run_ids: Sequence[str]) -> list[DatedRow]:
    """Return all rows of these runs, of at most 500, by the judge's verdicts."""
    scores = results_under(View.JUDGE).c
    query = select(
        scores.run_id,
        scores.timestamp,
        scores.state,
        scores.segment,
        scores.cluster,
        scores.faithfulness,
        func.coalesce(scores.inclusion_probability, 1.0),
    ).where(scores.run_id.in_(list(run_ids)))
    with db.read() as connection:
        return [DatedRow(*row) for row in connection.execute(query)]


def list_worst_answers(
    db: Database,
    run_ids: Sequence[str],
    *,
    segment: str | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    limit: int = 20,
) -> list[WorstAnswer]:
    """Return the judged answers of these runs with the lowest scores, worst first; among equals the newest.

    Args:
        db: the store.
        run_ids: the runs; only the first 500 count.
        segment: only this segment; "" for answers without a segment.
        start: only answers with their own timestamp at or after this time.
        end: only answers with their own timestamp before this time.
        limit: the maximum number of answers.
    """
    scores = results_under(View.JUDGE)
    where = [scores.c.run_id.in_(list(run_ids[:_MOST_IDS])), scores.c.state == State.JUDGED]
    if segment is not None:
        where.append(dialect.equals(scores.c.segment, segment) if segment else scores.c.segment.is_(None))
    if start is not None:
        where.append(scores.c.timestamp >= start)
    if end is not None:
        where.append(scores.c.timestamp < end)
    # The worst are found in the narrow table; texts are then read only for these.
    worst = (
        select(scores, RunRow.name.label("run_name"), RunRow.as_of)
        .join(RunRow, RunRow.id == scores.c.run_id)
        .where(*where)
        .order_by(scores.c.faithfulness, scores.c.contradicted.desc(), RunRow.as_of.desc(), scores.c.position)
        .limit(limit)
        .subquery()
    )
    query = (
        select(worst, SampleRow.key, SampleRow.question, SampleRow.answer)
        .join(SampleRow, SampleRow.id == worst.c.sample_id)
        .order_by(worst.c.faithfulness, worst.c.contradicted.desc(), worst.c.as_of.desc(), worst.c.position)
    )
    with db.read() as connection:
        return [
            WorstAnswer(
                run_id=row.run_id,
                run_name=row.run_name,
                key=row.key,
                question=row.question,
                answer=row.answer[:_SHOWN_CHARACTERS],
                segment=row.segment,
                timestamp=row.timestamp,
                faithfulness=row.faithfulness,
                claims=row.claims,
                contradicted=row.contradicted,
            )
            for row in connection.execute(query)
        ]


class ScoredRow(NamedTuple):
    """One row of a run, with its identity in other runs; `score` is None if the answer has no score.

    Answers to one question have the same `cluster`.
    """

    row: int
    identity: AnswerIdentity
    cluster: str
    segment: str | None
    score: float | None


def list_scored_rows(db: Database, run_id: str, *, view: View) -> list[ScoredRow]:
    """Return the rows of a run, in the order of its file."""
    scores = results_under(view).c
    query = (
        select(
            scores.position,
            SampleRow.key,
            SampleRow.question,
            SampleRow.context_hash,
            scores.cluster,
            scores.segment,
            scores.state,
            scores.faithfulness,
        )
        .join(SampleRow, SampleRow.id == scores.sample_id)
        .where(scores.run_id == run_id)
        .order_by(scores.position)
    )
    with db.read() as connection:
        return [
            ScoredRow(
                row=row,
                identity=identify(row=row, key=key, cluster=cluster, question=question, context_hash=context),
                cluster=cluster,
                segment=segment,
                score=score if state == State.JUDGED else None,
            )
            for row, key, question, context, cluster, segment, state, score in connection.execute(query)
        ]
