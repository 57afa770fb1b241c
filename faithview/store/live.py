"""Logged answers of live applications: stored on arrival, and moved into the runs that judge a window of them."""

from collections.abc import Callable, Mapping, Sequence
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
    rows = [
        {
            "application": answer.application,
            "external_id": answer.sample.key,
            "at": answer.sample.timestamp or now,
            "logged_at": now,
            "question": answer.sample.question,
            "answer": answer.sample.answer,
            "chunks": [[c.chunk_id, c.text, c.rank, c.score, dict(c.metadata)] for c in answer.sample.chunks],
            "segment": answer.sample.segment,
            "extra": dict(answer.sample.extra),
            "fate": Fate.WAITING,
        }
        for answer in answers
    ]
    if not rows:
        return 0
    with db.bookkeep() as connection:
        adding = dialect.insert_new(connection, LoggedAnswerRow).returning(LoggedAnswerRow.id)
        return len(connection.execute(adding, rows).all())


def list_backlogs(db: Database, *, application: str | None = None) -> list[Backlog]:
    """Return the waiting and decided answers of each application, or of one, by name."""
    row = LoggedAnswerRow
    # The oldest waiting answer is the first: ids grow with the time of logging.
    counted = select(row.application, row.fate, func.count().label("answers"), func.min(row.id).label("first"))
    if application is not None:
        counted = counted.where(dialect.equals(row.application, application))
    groups = counted.group_by(row.application, row.fate).subquery()
    query = select(groups, row.logged_at).join(row.__table__, row.id == groups.c.first).order_by(groups.c.application)
    found: dict[str, dict[str, Row[Any]]] = {}
    with db.read() as connection:
        for group in connection.execute(query):
            found.setdefault(group.application, {})[group.fate] = group
    return [
        Backlog(
            application=name,
            waiting=fates[Fate.WAITING].answers if Fate.WAITING in fates else 0,
            taken=fates[Fate.TAKEN].answers if Fate.TAKEN in fates else 0,
            skipped=fates[Fate.SKIPPED].answers if Fate.SKIPPED in fates else 0,
            oldest_at=fates[Fate.WAITING].logged_at if Fate.WAITING in fates else None,
        )
        for name, fates in found.items()
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


def draw_waiting(
    db: Database,
    application: str,
    *,
    rate: float,
    seed: int,
    length: WindowLength,
    judging: str,
    limit: int,
    new_run: Callable[[datetime], Run],
) -> tuple[int, int]:
    """Decide on the application's oldest waiting answers, at most `limit`, and store those drawn as pending rows.

    It is one transaction, and two of them never overlap: an answer is in exactly one run or skipped, and a process that
    dies has decided on all of them or none.

    Args:
        db: the store.
        application: whose answers.
        rate: the probability, in (0, 1], that an answer is drawn.
        seed: the seed of the draw.
        length: the window length.
        judging: the judge, threshold and other settings of a run, as in `LiveWindowRow`.
        limit: the maximum number of answers, drawn or not.
        new_run: creates the run of a window that has none yet, from the window's start; its name may be changed.

    Returns:
        How many answers are taken into runs, and how many are skipped.
    """
    row = LoggedAnswerRow
    waiting = (
        select(row.__table__)
        .where(row.fate == Fate.WAITING, dialect.equals(row.application, application))
        .order_by(row.id)
        .limit(limit)
    )
    taken = skipped = 0
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        windows: dict[tuple[datetime, datetime], list[Row[Any]]] = {}
        for found in connection.execute(waiting):
            windows.setdefault(window_of(found.at, length), []).append(found)
        for (start, end), answers in windows.items():
            chosen = {row.id for row in answers if is_drawn(application, row.external_id, rate=rate, seed=seed)}
            drawn = [row for row in answers if row.id in chosen]
            left = [row for row in answers if row.id not in chosen]
            window = {
                "application": application,
                "starts_at": start,
                "ends_at": end,
                "sample_rate": rate,
                "judging": judging,
            }
            window_id, run_id = _find_window(connection, window)
            if drawn and run_id is None:
                run = new_run(start)
                run_id = run.run_id
                insert_run(connection, run, rows=0)
            if drawn and run_id is not None:
                _add_pending(connection, run_id, [_to_sample(answer, rate) for answer in drawn])
            counted = {"logged": LiveWindowRow.logged + len(answers), "run_id": run_id}
            connection.execute(update(LiveWindowRow).where(LiveWindowRow.id == window_id).values(counted))
            # The texts of drawn answers are in their run now.
            decided = {"inclusion_probability": rate}
            _decide(connection, drawn, {**decided, "fate": Fate.TAKEN, "run_id": run_id, **NO_TEXTS})
            _decide(connection, left, {**decided, "fate": Fate.SKIPPED})
            taken += len(drawn)
            skipped += len(left)
    return taken, skipped


def _find_window(connection: Connection, window: Mapping[str, Any]) -> tuple[int, str | None]:
    """Return a window, new or known, and its run, None before an answer is drawn.

    A run that is no longer in use gets no more rows.
    """
    row = LiveWindowRow
    query = (
        select(row.id, row.run_id)
        .outerjoin(RunRow, RunRow.id == row.run_id)
        .where(
            dialect.equals(row.application, window["application"]),
            row.starts_at == window["starts_at"],
            row.ends_at == window["ends_at"],
            row.sample_rate == window["sample_rate"],
            row.judging == window["judging"],
            or_(row.run_id.is_(None), and_(is_in_use(), _is_continued())),
        )
        .order_by(row.id)
        .limit(1)
    )
    found = connection.execute(query).first()
    if found is not None:
        return found.id, found.run_id
    adding = insert(LiveWindowRow).returning(LiveWindowRow.id)
    return connection.execute(adding, {**window, "logged": 0}).scalar_one(), None


def _add_pending(connection: Connection, run_id: str, samples: Sequence[Sample]) -> None:
    rows, as_of = connection.execute(select(RunRow.rows, RunRow.as_of).where(RunRow.id == run_id)).one()
    insert_samples(connection, run_id, samples, first=rows + 1)
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


def _decide(connection: Connection, answers: Sequence[Row[Any]], values: Mapping[str, Any]) -> None:
    are_decided = dialect.among(LoggedAnswerRow.id, [answer.id for answer in answers])
    connection.execute(update(LoggedAnswerRow).where(are_decided).values(values))


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


def _is_continued() -> ColumnElement[bool]:
    # A run stopped by its budget is also cancelled, with a reason.
    return ~and_(RunRow.status == RunStatus.CANCELLED, RunRow.error.is_(None))
