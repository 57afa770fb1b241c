"""The series of runs: list them, find the one that a new run joins, move runs; and archived runs.

**Archived.** An archived run is not listed or used by default: it is not on Overview, in a trend, a picker or on
Judges, no run is compared with it by default, its alerts are not open, and a series with only archived runs is not
listed. It still opens, exports and compares by its link, id or name. It stays in its series, which later runs over the
same questions still join; its labels still count for equal claims of other runs, and its verdicts are still reused. Its
repeats are archived and restored with it. Every list of runs uses `is_in_use`.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select, update

from faithview.domain.audit import Action
from faithview.domain.pairing import Answer
from faithview.domain.run import Run
from faithview.domain.series import CHECKED_ANSWERS, Placement, Series, place_answers
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.runs import RunRow, SampleRow


def is_in_use() -> ColumnElement[bool]:
    """Return the condition that a run is not archived."""
    return RunRow.archived_at.is_(None)


def set_archived(db: Database, run_id: str, at: datetime | None) -> None:
    """Archive the run and its repeats at that time, or restore them (None)."""
    with db.write() as connection:
        changed = update(RunRow).where(or_(RunRow.id == run_id, RunRow.repeat_of == run_id)).values(archived_at=at)
        items = connection.execute(changed).rowcount
        record(connection, Action.RUN_RESTORED if at is None else Action.RUN_ARCHIVED, run_id=run_id, items=items)


# Of a larger run only the first answers are compared: they identify its questions, and all of them may not fit in
# memory.
_MOST_COMPARED = 20_000


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
    # By name first, for a stable order of equally new ones.
    listed.sort(key=lambda series: series.name)
    return sorted(listed, key=lambda series: (series.has_trend, series.newest_at), reverse=True)


def place_stored_run(connection: Connection, run: Run) -> str:
    """Set the series that a run stored without one joins or creates, and return its name.

    The caller must hold `dialect.RUNS_LOCK`; otherwise two runs over the same new questions would create two series.
    """
    placed = _place_among_stored(connection, run.name, _load_answers(connection, run.run_id), without=run.run_id)
    connection.execute(update(RunRow).where(RunRow.id == run.run_id).values(series=placed.series))
    return placed.series


def find_placement(db: Database, run_name: str, answers: Sequence[Answer]) -> Placement:
    """Return the series that a run of these answers would join or create if it were stored now."""
    with db.read() as connection:
        return _place_among_stored(connection, run_name, answers, without="")


def explain_placement(db: Database, run: Run) -> Placement:
    """Return why a stored run joined or created its series, based on the runs that are stored now."""
    with db.read() as connection:
        return _place_among_stored(connection, run.name, _load_answers(connection, run.run_id), without=run.run_id)


def _place_among_stored(connection: Connection, run_name: str, answers: Sequence[Answer], *, without: str) -> Placement:
    # Imported here so that listing runs does not load SciPy.
    from faithview.stats.text_matching import TokenSortSimilarity

    others = select(RunRow.id, RunRow.series).where(RunRow.id != without, RunRow.series != "").order_by(*newest_first())
    newest: dict[str, str] = {}
    for row in connection.execute(others.where(RunRow.repeat_of.is_(None))):
        newest.setdefault(row.series, row.id)
    taken = {*connection.execute(select(RunRow.series).distinct()).scalars(), CHECKED_ANSWERS}

    def known() -> Iterator[tuple[str, Sequence[Answer]]]:
        return ((name, _load_answers(connection, run_id)) for name, run_id in newest.items() if name != CHECKED_ANSWERS)

    return place_answers(run_name, answers, known(), taken=taken, similarity=TokenSortSimilarity())


def move_runs(db: Database, run_ids: Sequence[str], series: str) -> int:
    """Move runs to a series, with their repeats; return their number.

    Their figures do not change, so their revisions do not change either.
    """
    moved = 0
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        for batch in dialect.batches(list(dict.fromkeys(run_ids))):
            is_moved = RunRow.id.in_(batch) | RunRow.repeat_of.in_(batch)
            moved += connection.execute(
                update(RunRow).where(is_moved, RunRow.series != series).values(series=series)
            ).rowcount
        if moved:
            only = run_ids[0] if len(set(run_ids)) == 1 else None
            record(connection, Action.RUN_MOVED, run_id=only, detail=series, items=moved)
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


def _load_answers(connection: Connection, run_id: str) -> list[Answer]:
    query = (
        select(SampleRow.position, SampleRow.key, SampleRow.question, SampleRow.context_hash)
        .where(SampleRow.run_id == run_id)
        .order_by(SampleRow.position)
        .limit(_MOST_COMPARED)
    )
    return [
        Answer(row=row.position, key=row.key, question=row.question, context_hash=row.context_hash)
        for row in connection.execute(query)
    ]
