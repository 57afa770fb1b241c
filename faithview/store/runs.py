"""Runs: create with all samples at once, list, rename, and pass from worker to worker.

A worker records a heartbeat about every second (`LEASE`). The state of a vendor's batches is stored here, so another
process can continue the run.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, case, func, insert, null, or_, select, true, update

from faithview.domain.audit import Action
from faithview.domain.errors import NotFound, RunConflict
from faithview.domain.live import LiveWindow
from faithview.domain.result import State
from faithview.domain.run import (
    MOST_AHEAD,
    JudgeSpec,
    Run,
    RunStatus,
    is_sign_of_life,
    unused_name,
)
from faithview.domain.sample import Sample, find_unstorable
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.samples import insert_samples, load_rows_hash
from faithview.store.schema.live import LiveWindowRow
from faithview.store.schema.runs import ResultRow, RunBatchRow, RunRow
from faithview.store.series import is_in_use, newest_first

# A worker records a heartbeat about every second. After this time without one it counts as ended: long enough for a
# machine that sleeps briefly and for a judge that blocks the processor.
LEASE = timedelta(seconds=20)


def is_alive(now: datetime) -> ColumnElement[bool]:
    """Return the condition that a run's worker is alive."""
    return RunRow.heartbeat_at.between(now - LEASE, now + MOST_AHEAD)


def is_silent(heartbeat_at: datetime | None, now: datetime) -> bool:
    """Return whether a worker with this last heartbeat counts as ended."""
    return heartbeat_at is None or not is_sign_of_life(heartbeat_at, now, lease=LEASE)


def load_windows(connection: Connection, run_ids: Sequence[str]) -> dict[str, LiveWindow]:
    """Return by run the window that it judges; runs without a window are missing."""
    row = LiveWindowRow
    query = select(row.run_id, row.application, row.starts_at, row.ends_at, row.sample_rate, row.logged)
    return {
        str(found.run_id): LiveWindow(
            application=found.application,
            starts_at=found.starts_at,
            ends_at=found.ends_at,
            sample_rate=found.sample_rate,
            logged=found.logged,
        )
        for found in connection.execute(query.where(dialect.among(row.run_id, run_ids)))
    }


_STARTABLE = (RunStatus.PENDING, RunStatus.CANCELLED, RunStatus.FAILED, RunStatus.COMPLETE)


def create_run(db: Database, run: Run, samples: Sequence[Sample]) -> Run:
    """Store a new run with all its samples and pending results, in one transaction, and return the stored run.

    A run whose name is taken gets the first free name of "name (2)", "name (3)", ...
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        run = insert_run(connection, run, rows=len(samples))
        insert_samples(connection, run.run_id, samples)
        run = replace(run, rows_hash=load_rows_hash(connection, run.run_id))
        connection.execute(update(RunRow).where(RunRow.id == run.run_id).values(rows_hash=run.rows_hash))
        return run


def insert_run(connection: Connection, run: Run, *, rows: int) -> Run:
    """Write a new run with `rows` rows, and return it with a name that no other run has.

    The caller writes its samples and must hold `dialect.RUNS_LOCK`, because many runs of one name may start at once.
    """
    alike = select(RunRow.name).where(RunRow.name.startswith(run.name, autoescape=True))
    run = replace(run, name=unused_name(run.name, set(connection.execute(alike).scalars())))
    connection.execute(
        insert(RunRow),
        {
            "id": run.run_id,
            "name": run.name,
            "status": run.status,
            "judge": run.judge.name,
            "method": run.judge.method,
            "judge_options": dict(run.judge.options),
            "fingerprint": run.fingerprint,
            "threshold": run.threshold,
            "kb_version": run.kb_version,
            "source": run.source,
            "created_at": run.created_at,
            "as_of": run.as_of,
            "cancel_requested": False,
            "seconds": 0.0,
            "rows": rows,
            "revision": 1,
            "repeat_of": run.repeat_of,
            "preflight_of": run.preflight_of,
            "use_cache": run.use_cache,
            "rows_left_out": run.rows_left_out,
            "series": run.series,
        },
    )
    record(connection, Action.RUN_STARTED, run_id=run.run_id, detail=run.judge.name, items=rows)
    return run


def list_runs(
    db: Database,
    *,
    now: datetime,
    series: str | None = None,
    archived: bool | None = False,
    preflights: bool = False,
    limit: int | None = None,
    offset: int = 0,
) -> list[Run]:
    """Return the runs, of all series or of one, as `newest_first` orders them.

    `archived` is as for `count_runs`; with `preflights`, only the runs of preflights are returned.
    """
    listed = RunRow.preflight_of.is_not(None) if preflights else _is_archived(archived)
    query = select(RunRow.__table__).where(_is_in(series), listed).order_by(*newest_first())
    with db.read() as connection:
        return _to_runs(connection, connection.execute(query.limit(limit).offset(offset)).all(), now)


def count_runs(db: Database, *, series: str | None = None, archived: bool | None = False) -> int:
    """Return how many runs there are, in all or in one series.

    Args:
        db: the store.
        series: the series; None for all.
        archived: False counts the runs that are not archived, True those that are, None both. Runs of preflights are
            none of them.
    """
    query = select(func.count()).select_from(RunRow).where(_is_in(series), _is_archived(archived))
    with db.read() as connection:
        return connection.execute(query).scalar_one()


def get_run(db: Database, reference: str, *, now: datetime) -> Run:
    """Return the run with that id or name.

    Raises:
        NotFound: there is none, or the name is not unique.
    """
    is_id = case((RunRow.id == reference, 0), else_=1)
    query = (
        select(RunRow.__table__)
        .where(or_(RunRow.id == reference, RunRow.name == reference))
        .order_by(is_id, RunRow.created_at.desc(), RunRow.id)
    )
    found: list[Run] = []
    if find_unstorable(reference) is None:
        with db.read() as connection:
            found = _to_runs(connection, connection.execute(query.limit(3)).all(), now)
    if not found:
        raise NotFound(f"There is no run {reference!r}; `faithview run list` lists them.")
    if found[0].run_id != reference and len(found) > 1:
        ids = ", ".join(run.run_id for run in found)
        raise NotFound(f"Several runs are named {reference!r}; give the id of one: {ids}.")
    return found[0]


def rename_run(db: Database, run_id: str, name: str) -> None:
    """Give the run another name.

    Raises:
        RunConflict: another run has that name.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        taken = select(RunRow.id).where(dialect.equals(RunRow.name, name), RunRow.id != run_id)
        if connection.execute(taken.limit(1)).first() is not None:
            raise RunConflict(f"Another run is named {name!r}; choose another name.")
        record(connection, Action.RUN_RENAMED, run_id=run_id, detail=name)
        connection.execute(update(RunRow).where(RunRow.id == run_id).values(name=name))


def set_note(db: Database, run_id: str, note: str | None) -> None:
    """Store the note on the run; None removes it."""
    with db.write() as connection:
        connection.execute(update(RunRow).where(RunRow.id == run_id).values(note=note))
        record(connection, Action.RUN_NOTED, run_id=run_id, detail="removed" if note is None else None)


def take_run(db: Database, run_id: str, *, worker: str, now: datetime) -> None:
    """Make the worker the only one to work on the run.

    Raises:
        NotFound: there is no such run.
        RunConflict: another worker is judging it, or its rows are not all stored.
    """
    taken = (
        update(RunRow)
        .where(
            RunRow.id == run_id,
            RunRow.status != RunStatus.INTERRUPTED,
            or_(
                RunRow.status.in_(_STARTABLE),
                RunRow.heartbeat_at.is_(None),
                ~is_alive(now),
                RunRow.worker == worker,
            ),
        )
        .values(
            status=RunStatus.RUNNING,
            worker=worker,
            heartbeat_at=now,
            cancel_requested=False,
            finished_at=None,
            error=None,
            revision=RunRow.revision + 1,
        )
    )
    with db.write() as connection:
        before = connection.execute(select(RunRow.status, RunRow.worker).where(RunRow.id == run_id)).first()
        if before is not None and connection.execute(taken).rowcount == 1:
            was_interrupted = before.status == RunStatus.RUNNING and before.worker != worker
            if was_interrupted or before.status in (RunStatus.CANCELLED, RunStatus.FAILED):  # new runs are pending
                record(connection, Action.RUN_CONTINUED, run_id=run_id)
            return
    check_whole(db, run_id, now=now)
    raise RunConflict(f"Run {run_id} is being judged by another process; wait for it or cancel it first.")


def check_whole(db: Database, run_id: str, *, now: datetime) -> None:
    """Raise RunConflict if the run's rows are not all stored, NotFound if there is no such run."""
    run = get_run(db, run_id, now=now)
    with db.read() as connection:
        status = connection.execute(select(RunRow.status).where(RunRow.id == run_id)).scalar_one_or_none()
    if status == RunStatus.INTERRUPTED:
        is_read = run.status is RunStatus.RUNNING
        why = "Its file is still being read; wait until all its rows are stored." if is_read else run.error
        raise RunConflict(f"Run {run.name!r} cannot be judged. {why}")


def reset_failed(db: Database, run_id: str, *, now: datetime) -> int:
    """Make the run's failed answers pending again and return their number; their cost stays counted.

    Raises:
        RunConflict: the run is being judged.
    """
    failed = (ResultRow.run_id == run_id, ResultRow.state == State.FAILED)
    idle = or_(
        RunRow.status.not_in((RunStatus.RUNNING, RunStatus.INTERRUPTED)),
        (RunRow.status == RunStatus.RUNNING) & or_(RunRow.heartbeat_at.is_(None), ~is_alive(now)),
    )
    taken = (
        update(RunRow)
        .where(RunRow.id == run_id, idle)
        .values(status=RunStatus.PENDING, error=None, revision=RunRow.revision + 1)
    )
    with db.write() as connection:
        count = connection.execute(select(func.count()).where(*failed)).scalar_one()
        if not count:
            return 0
        if connection.execute(taken).rowcount != 1:
            raise RunConflict(f"Run {run_id} is being judged or read by another process; wait for it.")
        connection.execute(
            update(ResultRow)
            .where(*failed)
            .values(state=State.PENDING, error=None, raw_reply=None, warnings=null(), metrics=null())
        )
        record(connection, Action.RUN_RETRIED, run_id=run_id, items=count)
    return count


def release_dead_worker(db: Database, run_id: str, *, worker: str) -> None:
    """Release the run from a worker that is known to be dead, without waiting for its lease to end."""
    with db.bookkeep() as connection:
        connection.execute(
            update(RunRow).where(RunRow.id == run_id, RunRow.worker == worker).values(heartbeat_at=None, worker=None)
        )


def find_worker(db: Database, run_id: str) -> str | None:
    """Return the current or last worker of the run; None if there was none."""
    with db.read() as connection:
        return connection.execute(select(RunRow.worker).where(RunRow.id == run_id)).scalar_one_or_none()


def keep_alive(connection: Connection, run_id: str, *, worker: str, now: datetime, seconds: float = 0.0) -> bool:
    """Extend the worker's lease, add to the run's working time, and return whether the run should continue.

    Raises:
        RunConflict: the run now belongs to another worker, so nothing more may be written.
    """
    row = connection.execute(
        update(RunRow)
        .where(RunRow.id == run_id, RunRow.worker == worker)
        .values(heartbeat_at=now, seconds=RunRow.seconds + seconds, revision=RunRow.revision + 1)
        .returning(RunRow.cancel_requested)
    ).one_or_none()
    if row is None:
        raise RunConflict(f"Run {run_id} was taken over by another process or deleted.")
    return not row.cancel_requested


def finish_run(
    db: Database, run_id: str, *, worker: str, status: RunStatus, now: datetime, error: str | None = None
) -> None:
    """Record how the worker's part ended; does nothing if the run belongs to another worker."""
    with db.bookkeep() as connection:
        connection.execute(
            update(RunRow)
            .where(RunRow.id == run_id, RunRow.worker == worker)
            .values(status=status, finished_at=now, worker=None, error=error, revision=RunRow.revision + 1)
        )


def request_cancel(db: Database, run_id: str, *, now: datetime) -> None:
    """Ask the run's worker to stop; a run without a worker is cancelled immediately.

    Raises:
        NotFound: there is no such run.
    """
    alive = is_alive(now)
    with db.write() as connection:
        cancelled = connection.execute(
            update(RunRow)
            .where(RunRow.id == run_id, RunRow.status.in_((RunStatus.RUNNING, RunStatus.PENDING)))
            .values(
                cancel_requested=True,
                status=case((alive, RunRow.status), else_=RunStatus.CANCELLED.value),
                finished_at=case((alive, RunRow.finished_at), else_=now),
                revision=RunRow.revision + 1,
            )
        )
        if cancelled.rowcount:
            record(connection, Action.RUN_CANCELLED, run_id=run_id)
    get_run(db, run_id, now=now)


def count_states(db: Database, run_id: str) -> dict[str, int]:
    """Return the number of rows in each state."""
    query = select(ResultRow.state, func.count()).where(ResultRow.run_id == run_id).group_by(ResultRow.state)
    with db.read() as connection:
        return dict(connection.execute(query).all())


def _is_in(series: str | None) -> ColumnElement[bool]:
    return true() if series is None else dialect.equals(RunRow.series, series)


def _is_archived(archived: bool | None) -> ColumnElement[bool]:
    if archived is False:
        return is_in_use()
    is_listed = RunRow.preflight_of.is_(None)
    return is_listed & RunRow.archived_at.is_not(None) if archived else is_listed


def _to_runs(connection: Connection, rows: Sequence[Row[Any]], now: datetime) -> list[Run]:
    """Return the runs of these rows with their data from other tables."""
    ids = [row.id for row in rows]
    query = select(RunRow.id, RunRow.repeat_of).where(dialect.among(RunRow.repeat_of, ids))
    repeats: dict[str, tuple[str, ...]] = {}
    for row in connection.execute(query.order_by(RunRow.created_at)):
        repeats[row.repeat_of] = (*repeats.get(row.repeat_of, ()), row.id)
    windows = load_windows(connection, ids)
    return [_to_run(row, now, repeats=repeats.get(row.id, ()), window=windows.get(row.id)) for row in rows]


def _to_run(
    row: Row[Any],
    now: datetime,
    *,
    repeats: tuple[str, ...],
    window: LiveWindow | None,
) -> Run:
    status, error = RunStatus(row.status), row.error
    if status in (RunStatus.RUNNING, RunStatus.INTERRUPTED):
        is_half_read = status is RunStatus.INTERRUPTED
        status = RunStatus.INTERRUPTED if is_silent(row.heartbeat_at, now) else RunStatus.RUNNING
        if is_half_read and status is RunStatus.INTERRUPTED:
            error = (
                f"Its file was not read to the end: the rows after the first {row.rows:,} are missing. Read the file "
                "again, in the same way; that replaces this run."
            )
    run = Run(
        run_id=row.id,
        name=row.name,
        status=status,
        # `db check` reports options that are not an object; other commands ignore them.
        judge=JudgeSpec(
            name=row.judge, method=row.method, options=row.judge_options if isinstance(row.judge_options, dict) else {}
        ),
        fingerprint=row.fingerprint,
        threshold=row.threshold,
        kb_version=row.kb_version,
        source=row.source,
        created_at=row.created_at,
        as_of=row.as_of,
        finished_at=row.finished_at,
        revision=row.revision,
        seconds=row.seconds,
        error=error,
        repeat_of=row.repeat_of,
        preflight_of=row.preflight_of,
        repeats=repeats,
        use_cache=row.use_cache is not False,
        rows_left_out=row.rows_left_out or 0,
        series=row.series,
        archived_at=row.archived_at,
        note=row.note or "",
        live=window,
        rows_hash=row.rows_hash,
    )
    return replace(run, finished_at=None) if status is RunStatus.RUNNING else run


def save_batch_state(db: Database, run_id: str, state: str) -> None:
    """Store the state of a run's batches in place of the older state."""
    with db.bookkeep() as connection:
        changed = connection.execute(update(RunBatchRow).where(RunBatchRow.run_id == run_id).values(state=state))
        if changed.rowcount == 0:
            connection.execute(insert(RunBatchRow), {"run_id": run_id, "state": state})


def find_batch_state(db: Database, run_id: str) -> str | None:
    """Return the state of a run's batches; None for a run that does not use batches."""
    with db.read() as connection:
        return connection.execute(select(RunBatchRow.state).where(RunBatchRow.run_id == run_id)).scalar_one_or_none()


def is_busy(now: datetime) -> ColumnElement[bool]:
    """Return the condition that a run is being judged, or that its file is being read."""
    return RunRow.status.in_((RunStatus.RUNNING, RunStatus.INTERRUPTED)) & is_alive(now)
