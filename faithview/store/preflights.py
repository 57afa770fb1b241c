"""Preflights: stored with their plan, filled answer by answer, and read whole."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update

from faithview.domain.audit import Action
from faithview.domain.claim import Verdict
from faithview.domain.errors import NotFound
from faithview.domain.knowledge import DocumentChangeKind
from faithview.domain.preflight import (
    ChunkState,
    DocumentCounts,
    JudgedAgain,
    NewPassage,
    NewVerdict,
    PlannedAnswer,
    PlannedChunk,
    PreflightDocument,
    PreflightRecord,
    Verdicts,
)
from faithview.domain.result import State, Usage
from faithview.domain.run import JudgeSpec
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.preflights import PreflightAnswerRow, PreflightPassageRow, PreflightRow
from faithview.store.schema.runs import ClaimRow, ResultRow, RunRow, is_of_runs


def save_preflight(
    db: Database, preflight: PreflightRecord, answers: Sequence[PlannedAnswer], passages: Sequence[NewPassage]
) -> None:
    """Store a new preflight with its plan, in one transaction; raises NotFound if its run was deleted."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        if connection.execute(select(RunRow.id).where(RunRow.id == preflight.run_id)).first() is None:
            raise NotFound(f"There is no run {preflight.run_id!r}; `faithview run list` lists them.")
        connection.execute(insert(PreflightRow), _to_row(preflight))
        for batch in dialect.batches(passages):
            connection.execute(
                insert(PreflightPassageRow),
                [
                    {
                        "preflight_id": preflight.preflight_id,
                        "number": passage.number,
                        "external_id": passage.chunk_id,
                        "document": passage.document,
                        "text": passage.text,
                    }
                    for passage in batch
                ],
            )
        for planned in dialect.batches(answers):
            connection.execute(
                insert(PreflightAnswerRow),
                [
                    {
                        "preflight_id": preflight.preflight_id,
                        "row": answer.row,
                        "is_judged": answer.is_judged,
                        "plan": _plan_to_json(answer),
                    }
                    for answer in planned
                ],
            )
        subject = preflight.new_version or preflight.source
        record(connection, Action.KNOWLEDGE_CHECKED, subject=subject, run_id=preflight.run_id, items=preflight.answers)


def find_preflight(db: Database, *, content_hash: str, fingerprint: str) -> PreflightRecord | None:
    """Return the newest preflight of the same run, versions and judge; None if there is none."""
    query = (
        select(PreflightRow.__table__)
        .where(PreflightRow.content_hash == content_hash, PreflightRow.fingerprint == fingerprint)
        .order_by(PreflightRow.created_at.desc(), PreflightRow.id)
        .limit(1)
    )
    with db.read() as connection:
        row = connection.execute(query).first()
    return None if row is None else _to_record(row)


def get_preflight(db: Database, preflight_id: str) -> PreflightRecord:
    """Return a preflight; raises NotFound."""
    with db.read() as connection:
        row = connection.execute(
            select(PreflightRow.__table__).where(dialect.equals(PreflightRow.id, preflight_id))
        ).first()
    if row is None:
        raise NotFound(f"There is no preflight {preflight_id!r}; check the new version again.")
    return _to_record(row)


def list_preflights(db: Database, *, run_id: str | None = None) -> list[PreflightRecord]:
    """Return the preflights of a run, or of all runs, the newest first."""
    query = select(PreflightRow.__table__).order_by(PreflightRow.created_at.desc(), PreflightRow.id)
    if run_id is not None:
        query = query.where(PreflightRow.run_id == run_id)
    with db.read() as connection:
        return [_to_record(row) for row in connection.execute(query)]


def delete_preflight(db: Database, preflight_id: str) -> None:
    """Delete a preflight with its texts; raises NotFound."""
    with db.write() as connection:
        if connection.execute(delete(PreflightRow).where(PreflightRow.id == preflight_id)).rowcount == 0:
            raise NotFound(f"There is no preflight {preflight_id!r}; check the new version again.")
        record(connection, Action.CHECK_DELETED, subject=preflight_id)


def load_plan(db: Database, preflight_id: str, *, only_pending: bool = False) -> list[PlannedAnswer]:
    """Return the answers that the update may change, in the order of the run.

    With `only_pending` only those that are still to be judged.
    """
    query = (
        select(PreflightAnswerRow.row, PreflightAnswerRow.plan)
        .where(PreflightAnswerRow.preflight_id == preflight_id)
        .order_by(PreflightAnswerRow.row)
    )
    if only_pending:
        query = query.where(PreflightAnswerRow.is_judged.is_(True), PreflightAnswerRow.result.is_(None))
    with db.read() as connection:
        return [_plan_from_json(row.row, row.plan) for row in connection.execute(query)]


def load_judged(db: Database, preflight_id: str) -> dict[int, JudgedAgain]:
    """Return the answers that were judged again, by their rows."""
    query = select(PreflightAnswerRow.row, PreflightAnswerRow.result).where(
        PreflightAnswerRow.preflight_id == preflight_id, PreflightAnswerRow.result.is_not(None)
    )
    with db.read() as connection:
        return {row.row: _judged_from_json(row.result) for row in connection.execute(query)}


def load_passages(db: Database, preflight_id: str) -> dict[int, NewPassage]:
    """Return the passages of the new version by their numbers."""
    query = select(PreflightPassageRow.__table__).where(PreflightPassageRow.preflight_id == preflight_id)
    with db.read() as connection:
        return {
            row.number: NewPassage(number=row.number, chunk_id=row.external_id, text=row.text, document=row.document)
            for row in connection.execute(query)
        }


def count_pending(db: Database, preflight_id: str) -> int:
    """Return how many answers are still to be judged."""
    query = select(func.count()).where(
        PreflightAnswerRow.preflight_id == preflight_id,
        PreflightAnswerRow.is_judged.is_(True),
        PreflightAnswerRow.result.is_(None),
    )
    with db.read() as connection:
        return connection.execute(query).scalar_one()


def save_judged(db: Database, preflight_id: str, judged: Sequence[tuple[int, JudgedAgain]]) -> None:
    """Store the verdicts of answers; an answer that has them already keeps them."""
    with db.bookkeep() as connection:
        for row, result in judged:
            connection.execute(
                update(PreflightAnswerRow)
                .where(
                    PreflightAnswerRow.preflight_id == preflight_id,
                    PreflightAnswerRow.row == row,
                    PreflightAnswerRow.result.is_(None),
                )
                .values(result=_judged_to_json(result))
            )


def forget_failed(db: Database, preflight_id: str, rows: Collection[int]) -> None:
    """Make answers that the judge failed on pending again."""
    with db.bookkeep() as connection:
        for batch in dialect.batches(sorted(rows)):
            connection.execute(
                update(PreflightAnswerRow)
                .where(PreflightAnswerRow.preflight_id == preflight_id, PreflightAnswerRow.row.in_(batch))
                .values(result=None)
            )
        connection.execute(update(PreflightRow).where(PreflightRow.id == preflight_id).values(finished_at=None))


def finish_preflight(db: Database, preflight_id: str, *, now: datetime) -> None:
    """Record that all answers are judged."""
    with db.bookkeep() as connection:
        connection.execute(
            update(PreflightRow)
            .where(PreflightRow.id == preflight_id, PreflightRow.finished_at.is_(None))
            .values(finished_at=now)
        )


def load_weights(db: Database, run_id: str) -> dict[int, float]:
    """Return the weights of a run's judged answers in its mean, by their rows: 1 / the inclusion probability."""
    query = select(ResultRow.position, ResultRow.inclusion_probability).where(
        ResultRow.run_id == run_id, ResultRow.state == State.JUDGED
    )
    with db.read() as connection:
        return {row: 1.0 / (probability or 1.0) for row, probability in connection.execute(query)}


def mark_of_claims(db: Database, run_id: str) -> str:
    """Return a text that changes whenever answers of a run are judged again."""
    query = select(func.count(), func.min(ClaimRow.id), func.max(ClaimRow.id)).where(is_of_runs(run_id))
    with db.read() as connection:
        count, first, last = connection.execute(query).one()
    return f"{count} {first} {last}"


def _to_row(preflight: PreflightRecord) -> dict[str, Any]:
    judge = preflight.judge
    return {
        "id": preflight.preflight_id,
        "run_id": preflight.run_id,
        "kb_version": preflight.kb_version,
        "new_version": preflight.new_version,
        "source": preflight.source,
        "content_hash": preflight.content_hash,
        "judge": {"name": judge.name, "method": judge.method, "options": dict(judge.options)},
        "fingerprint": preflight.fingerprint,
        "is_run_judge": preflight.is_run_judge,
        "created_at": preflight.created_at,
        "finished_at": preflight.finished_at,
        "counts": asdict(preflight.counts),
        "documents": [
            [document.name, document.title, document.kind.value, document.passages, document.is_named]
            for document in preflight.documents
        ],
        "answers": preflight.answers,
        "unplaced": preflight.unplaced,
    }


def _to_record(row: Row[Any]) -> PreflightRecord:
    return PreflightRecord(
        preflight_id=row.id,
        run_id=row.run_id,
        kb_version=row.kb_version,
        new_version=row.new_version,
        source=row.source,
        content_hash=row.content_hash,
        judge=JudgeSpec(**row.judge),
        fingerprint=row.fingerprint,
        is_run_judge=row.is_run_judge,
        created_at=row.created_at,
        finished_at=row.finished_at,
        counts=DocumentCounts(**row.counts),
        documents=tuple(
            PreflightDocument(
                name=name, title=title, kind=DocumentChangeKind(kind), passages=passages, is_named=is_named
            )
            for name, title, kind, passages, is_named in row.documents
        ),
        answers=row.answers,
        unplaced=row.unplaced,
    )


def _plan_to_json(answer: PlannedAnswer) -> dict[str, Any]:
    return {
        "chunks": [[chunk.position, chunk.state.value, chunk.document, list(chunk.new)] for chunk in answer.chunks],
        "ahead": list(answer.ahead),
        "entering": [list(pair) for pair in answer.entering],
    }


def _plan_from_json(row: int, plan: Mapping[str, Any]) -> PlannedAnswer:
    return PlannedAnswer(
        row=row,
        chunks=tuple(
            PlannedChunk(position=position, state=ChunkState(state), document=document, new=tuple(new))
            for position, state, document, new in plan["chunks"]
        ),
        ahead=tuple(plan["ahead"]),
        entering=tuple((number, rank) for number, rank in plan["entering"]),
    )


def _judged_to_json(judged: JudgedAgain) -> dict[str, Any]:
    return {
        "after": _verdicts_to_json(judged.after),
        "ahead": _verdicts_to_json(judged.ahead),
        "before": _verdicts_to_json(judged.before),
        "error": judged.error,
        "usage": asdict(judged.usage),
    }


def _judged_from_json(result: Mapping[str, Any]) -> JudgedAgain:
    return JudgedAgain(
        after=_verdicts_from_json(result["after"]),
        ahead=_verdicts_from_json(result["ahead"]),
        before=_verdicts_from_json(result["before"]),
        error=result["error"],
        usage=Usage(**result["usage"]),
    )


def _verdicts_to_json(verdicts: Verdicts | None) -> list[list[Any]] | None:
    if verdicts is None:
        return None
    return [
        [number, verdict.verdict.value, verdict.explanation, list(verdict.cites), verdict.is_unsure]
        for number, verdict in sorted(verdicts.items())
    ]


def _verdicts_from_json(verdicts: Sequence[Sequence[Any]] | None) -> Verdicts | None:
    if verdicts is None:
        return None
    return {
        number: NewVerdict(
            verdict=Verdict(verdict), explanation=explanation, cites=tuple(cites), is_unsure=is_unsure == [True]
        )
        for number, verdict, explanation, cites, *is_unsure in verdicts  # the earliest preflights did not keep it
    }
