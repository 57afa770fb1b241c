"""Logged answers of live applications: stored on arrival, and moved into the runs that judge a window of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, case, func, insert, or_, select, update

from faithview.domain.audit import Action
from faithview.domain.live import Backlog, Fate, LoggedAnswer, WindowLength, is_drawn, window_of
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus
from faithview.domain.sample import Chunk, Sample
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.runs import insert_run
from faithview.store.samples import insert_samples
from faithview.store.schema.live import LiveWindowRow, LoggedAnswerRow
from faithview.store.schema.runs import ResultRow, RunRow
from faithview.store.series import is_in_use


def append(db: Database, answers: Sequence[LoggedAnswer], *, now: datetime) -> int:
    """Store the answers whose ids are new within their application, in one transaction; return how many."""
    rows = [_answer_values(answer, now) for answer in answers]
    insert = dialect.insert_ignore(db.dialect_name)(LoggedAnswerRow, ["application", "external_id"])
    stored = 0
    with db.bookkeep() as connection:
        for batch in dialect.batches(rows):
            stored += len(connection.execute(insert.returning(LoggedAnswerRow.id), list(batch)).all())
    return stored


def list_backlogs(db: Database, *, application: str | None = None) -> list[Backlog]:
    """Return the waiting and decided answers of each application, or of one, by name."""
    row = LoggedAnswerRow
    query = (
        select(row.application, row.fate, func.count().label("answers"), func.min(row.id).label("first"))
        .group_by(row.application, row.fate)
        .order_by(row.application)
    )
    if application is not None:
        query = query.where(dialect.equals(row.application, application))
    counts: dict[str, dict[str, int]] = {}
    first: dict[str, int] = {}
    with db.read() as connection:
        for found in connection.execute(query):
            counts.setdefault(found.application, {})[found.fate] = found.answers
            if found.fate == Fate.WAITING:
                first[found.application] = found.first
        is_first = dialect.is_among(row.id, list(first.values()), dialect=db.dialect_name)
        oldest = select(row.application, row.logged_at).where(is_first)
        oldest_at = {found.application: found.logged_at for found in connection.execute(oldest)} if first else {}
    return [
        Backlog(
            application=name,
            waiting=fates.get(Fate.WAITING, 0),
            taken=fates.get(Fate.TAKEN, 0),
            skipped=fates.get(Fate.SKIPPED, 0),
            oldest_at=oldest_at.get(name),
        )
        for name, fates in counts.items()
    ]


def remove_texts(db: Database, *, before: datetime, application: str | None = None) -> int:
    """Remove the texts of skipped answers logged before `before`; return how many answers had texts."""
    row = LoggedAnswerRow
    chosen = [row.fate == Fate.SKIPPED, row.answer.is_not(None), row.logged_at < before]
    if application is not None:
        chosen.append(dialect.equals(row.application, application))
    with db.write() as connection:
        removed = connection.execute(update(row).where(*chosen).values(NO_TEXTS)).rowcount
        if removed:
            record(connection, Action.LOG_EMPTIED, subject=application, items=removed)
    return removed


# The values of a row whose texts were removed.
NO_TEXTS: dict[str, Any] = {"question": None, "answer": None, "chunks": None, "extra": None}


def _answer_values(answer: LoggedAnswer, now: datetime) -> dict[str, object]:
    sample = answer.sample
    return {
        "application": answer.application,
        "external_id": sample.key,
        "at": sample.timestamp or now,
        "logged_at": now,
        "question": sample.question,
        "answer": sample.answer,
        "chunks": [[c.chunk_id, c.text, c.rank, c.score, dict(c.metadata)] for c in sample.chunks],
        "segment": sample.segment,
        "extra": dict(sample.extra),
        "fate": Fate.WAITING,
    }


_Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How logged answers are drawn into runs.

    Attributes:
        application: whose answers.
        rate: the probability, in (0, 1], that an answer is drawn.
        seed: the seed of the draw.
        length: the window length.
        judging: the judge, threshold and other settings of a run, as in `LiveWindowRow`.
    """

    application: str
    rate: float
    seed: int
    length: WindowLength
    judging: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The decisions of one transaction: how many answers are taken into runs, and how many are skipped."""

    taken: int
    skipped: int


def draw_waiting(
    db: Database,
    drawing: Drawing,
    *,
    limit: int,
    new_run: Callable[[datetime, datetime], Run],
) -> Drawn:
    """Decide on the application's oldest waiting answers, at most `limit`, and store those drawn as pending rows.

    It is one transaction, and two of them never overlap: an answer is in exactly one run or skipped, and a process that
    dies has decided on all of them or none.

    Args:
        db: the store.
        drawing: the settings of the draw.
        limit: the maximum number of answers, drawn or not.
        new_run: creates the run of a window that has none yet, from the window's start and end; its name may be
            changed.
    """
    row = LoggedAnswerRow
    waiting = (
        select(row.__table__)
        .where(row.fate == Fate.WAITING, dialect.equals(row.application, drawing.application))
        .order_by(row.id)
        .limit(limit)
    )
    taken = skipped = 0
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        windows: dict[_Span, list[Row[Any]]] = {}
        for found in connection.execute(waiting):
            windows.setdefault(window_of(found.at, drawing.length), []).append(found)
        for span, answers in windows.items():
            drawn = [
                answer
                for answer in answers
                if is_drawn(answer.application, answer.external_id, rate=drawing.rate, seed=drawing.seed)
            ]
            window_id, run_id = _find_window(connection, drawing, span) or _add_window(connection, drawing, span)
            if drawn and run_id is None:
                run_id = _begin_run(connection, new_run(*span), window_id)
            if drawn and run_id is not None:
                samples = [_to_sample(answer, drawing.rate) for answer in drawn]
                _add_pending(connection, run_id, samples, dialect_name=db.dialect_name)
            connection.execute(
                update(LiveWindowRow)
                .where(LiveWindowRow.id == window_id)
                .values(logged=LiveWindowRow.logged + len(answers), closed_at=None)
            )
            _record_decisions(connection, answers, drawn, run_id, drawing.rate)
            taken += len(drawn)
            skipped += len(answers) - len(drawn)
    return Drawn(taken=taken, skipped=skipped)


def list_unfinished(db: Database, *, application: str, judging: str) -> list[str]:
    """Return the runs of an application's windows that have pending rows, oldest window first.

    Runs that are archived, that a user cancelled, or whose texts were deleted, are left out.
    """
    pending = select(ResultRow.sample_id).where(ResultRow.run_id == RunRow.id, ResultRow.state == State.PENDING)
    query = (
        select(RunRow.id)
        .join(LiveWindowRow, LiveWindowRow.run_id == RunRow.id)
        .where(
            dialect.equals(LiveWindowRow.application, application),
            LiveWindowRow.judging == judging,
            is_in_use(),
            _is_continued(),
            pending.exists(),
        )
        .order_by(LiveWindowRow.starts_at, LiveWindowRow.id)
    )
    with db.read() as connection:
        return list(connection.execute(query).scalars())


def list_over(db: Database, *, application: str, judging: str, now: datetime) -> list[str]:
    """Return the complete runs of windows that are over and have not been closed, oldest first."""
    query = (
        select(RunRow.id)
        .join(LiveWindowRow, LiveWindowRow.run_id == RunRow.id)
        .where(
            dialect.equals(LiveWindowRow.application, application),
            LiveWindowRow.judging == judging,
            LiveWindowRow.ends_at <= now,
            LiveWindowRow.closed_at.is_(None),
            RunRow.status == RunStatus.COMPLETE,
            is_in_use(),
        )
        .order_by(LiveWindowRow.starts_at, LiveWindowRow.id)
    )
    with db.read() as connection:
        return list(connection.execute(query).scalars())


def close_window(db: Database, run_id: str, *, now: datetime) -> None:
    """Record that a run's window is over and its run was checked; late answers reopen it."""
    with db.bookkeep() as connection:
        connection.execute(update(LiveWindowRow).where(LiveWindowRow.run_id == run_id).values(closed_at=now))


def _is_continued() -> ColumnElement[bool]:
    # A run stopped by its budget is also cancelled, with a reason.
    return ~and_(RunRow.status == RunStatus.CANCELLED, RunRow.error.is_(None))


def _find_window(connection: Connection, drawing: Drawing, span: _Span) -> tuple[int, str | None] | None:
    row = LiveWindowRow
    query = (
        select(row.id, row.run_id)
        .outerjoin(RunRow, RunRow.id == row.run_id)
        .where(
            dialect.equals(row.application, drawing.application),
            row.starts_at == span[0],
            row.ends_at == span[1],
            row.sample_rate == drawing.rate,
            row.judging == drawing.judging,
            or_(row.run_id.is_(None), and_(is_in_use(), _is_continued())),
        )
        .order_by(row.id)
        .limit(1)
    )
    found = connection.execute(query).first()
    return None if found is None else (found.id, found.run_id)


def _add_window(connection: Connection, drawing: Drawing, span: _Span) -> tuple[int, None]:
    values = {
        "application": drawing.application,
        "starts_at": span[0],
        "ends_at": span[1],
        "sample_rate": drawing.rate,
        "judging": drawing.judging,
        "logged": 0,
    }
    window_id = connection.execute(insert(LiveWindowRow).returning(LiveWindowRow.id), values).scalar_one()
    return window_id, None


def _begin_run(connection: Connection, run: Run, window_id: int) -> str:
    insert_run(connection, run, rows=0)
    connection.execute(update(LiveWindowRow).where(LiveWindowRow.id == window_id).values(run_id=run.run_id))
    return run.run_id


def _add_pending(connection: Connection, run_id: str, samples: Sequence[Sample], *, dialect_name: str) -> None:
    rows, as_of = connection.execute(select(RunRow.rows, RunRow.as_of).where(RunRow.id == run_id)).one()
    insert_samples(connection, run_id, samples, dialect_name=dialect_name, first=rows + 1)
    times = [sample.timestamp for sample in samples if sample.timestamp is not None]
    connection.execute(
        update(RunRow)
        .where(RunRow.id == run_id)
        .values(
            rows=rows + len(samples),
            as_of=max(times) if rows == 0 else max([as_of, *times]),
            revision=RunRow.revision + 1,
            # A worker that is judging the run keeps it.
            status=case((RunRow.status == RunStatus.RUNNING, RunRow.status), else_=RunStatus.PENDING.value),
        )
    )


def _to_sample(answer: Row[Any], rate: float) -> Sample:
    return Sample(
        answer=answer.answer,
        chunks=tuple(
            Chunk(text=text, chunk_id=chunk_id, rank=rank, score=score, metadata=metadata)
            for chunk_id, text, rank, score, metadata in answer.chunks
        ),
        question=answer.question,
        key=answer.external_id,
        segment=answer.segment,
        timestamp=answer.at,
        extra=answer.extra or {},
        inclusion_probability=rate,
    )


def _record_decisions(
    connection: Connection, answers: Sequence[Row[Any]], drawn: Sequence[Row[Any]], run_id: str | None, rate: float
) -> None:
    """Record the decisions; the texts of drawn answers are now in their run."""
    taken = {answer.id for answer in drawn}
    fates: Mapping[Fate, tuple[list[int], dict[str, Any]]] = {
        Fate.TAKEN: (sorted(taken), {"run_id": run_id, **NO_TEXTS}),
        Fate.SKIPPED: ([answer.id for answer in answers if answer.id not in taken], {}),
    }
    for fate, (ids, values) in fates.items():
        for batch in dialect.batches(ids):
            connection.execute(
                update(LoggedAnswerRow)
                .where(LoggedAnswerRow.id.in_(batch))
                .values(fate=fate, inclusion_probability=rate, **values)
            )
