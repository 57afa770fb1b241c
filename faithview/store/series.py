"""The series of runs: list them, move runs; and archived runs.

**Archived.** An archived run is not listed or used by default: it is not on Overview, in a trend, a picker or on
Judges, no run is compared with it by default, its alerts are not open, and a series with only archived runs is not
listed. It still opens, exports and compares by its link, id or name. Its labels still count for equal claims of other
runs, and its verdicts are still reused. Its repeats are archived and restored with it. Every list of runs uses
`is_in_use`, which also leaves out the two runs of a preflight.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select, update

from faithview.domain.audit import Action
from faithview.domain.series import Series
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.runs import RunRow


def is_in_use() -> ColumnElement[bool]:
    """Return the condition that a run is neither archived nor a part of a preflight."""
    return RunRow.archived_at.is_(None) & RunRow.preflight_of.is_(None)


def set_archived(db: Database, run_id: str, at: datetime | None) -> None:
    """Archive the run and its repeats at that time, or restore them (None)."""
    with db.write() as connection:
        changed = update(RunRow).where(or_(RunRow.id == run_id, RunRow.repeat_of == run_id)).values(archived_at=at)
        items = connection.execute(changed).rowcount
        record(connection, Action.RUN_RESTORED if at is None else Action.RUN_ARCHIVED, run_id=run_id, items=items)


def newest_first() -> tuple[ColumnElement[Any], ...]:
    """Return the order of runs: newest answers first; among equals, the last created first."""
    return (RunRow.as_of.desc(), RunRow.created_at.desc(), RunRow.id.asc())


def list_series(db: Database) -> list[Series]:
    """Return the series, newest answers first and the checked answers last.

    Archived runs are not counted, and a series without other runs is left out.
    """
    query = (
        select(RunRow.series, func.count().label("runs"), func.max(RunRow.as_of).label("newest_at"))
        .where(is_in_use())
        .group_by(RunRow.series)
    )
    with db.read() as connection:
        listed = [Series(name=row.series, runs=row.runs, newest_at=row.newest_at) for row in connection.execute(query)]
    return sorted(listed, key=lambda series: (not series.has_trend, -series.newest_at.timestamp(), series.name))


def move_run(db: Database, run_id: str, series: str) -> int:
    """Move a run to a series, with its repeats; return how many runs moved.

    Their figures do not change, so their revisions do not change either.
    """
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        is_moved = (RunRow.id == run_id) | (RunRow.repeat_of == run_id)
        changed = update(RunRow).where(is_moved, RunRow.series != series).values(series=series)
        moved = connection.execute(changed).rowcount
        if moved:
            record(connection, Action.RUN_MOVED, run_id=run_id, detail=series, items=moved)
    return moved


def rename_series(db: Database, old: str, new: str) -> int:
    """Rename a series, or merge it into the one of that name; return how many runs it had."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        is_in_it = dialect.equals(RunRow.series, old)
        moved = connection.execute(update(RunRow).where(is_in_it).values(series=new)).rowcount
        if moved:
            record(connection, Action.SERIES_RENAMED, subject=old, detail=new, items=moved)
    return moved
