"""Runs that are kept but no longer listed.

**The rule.** An archived run is in no list and nothing rests on it: it is not on Overview, in a trend, a picker or on
Judges, no run is compared with it by default, its alerts are not open, and a series that has only
archived runs is not listed. Whoever names it still gets it: by its link, its id or its name it opens, exports and
compares as before. It stays in its series, which later runs over the same questions still join; its labels still count
for equal claims of other runs, and its verdicts are still reused. Its repeats are archived and brought back with it.

Every list of runs asks `is_in_use`.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, or_, update

from faithview.domain.audit import Action
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.schema.runs import RunRow


def is_in_use() -> ColumnElement[bool]:
    """Return the condition that a run is not archived."""
    return RunRow.archived_at.is_(None)


def set_archived(db: Database, run_id: str, at: datetime | None) -> None:
    """Archive the run and its repeats as of that moment, or bring them back (None)."""
    with db.write() as connection:
        changed = update(RunRow).where(or_(RunRow.id == run_id, RunRow.repeat_of == run_id)).values(archived_at=at)
        items = connection.execute(changed).rowcount
        record(connection, Action.RUN_RESTORED if at is None else Action.RUN_ARCHIVED, run_id=run_id, items=items)
