"""Space that deletions free in a store, and when it goes back to the disk."""

from datetime import datetime

from sqlalchemy import exists, select

from faithview.domain.run import RunStatus
from faithview.store.database import Database
from faithview.store.runs.runs import LEASE
from faithview.store.schema.runs import RunIntakeRow, RunRow


def give_space_back(db: Database, *, now: datetime) -> None:
    """Make an SQLite file smaller after deletions if a fifth of it is free; what is left is free for new rows.

    The file is written anew, which nobody else can write to meanwhile: not while a run is judged or its file read. On
    PostgreSQL freed space is reused once it has vacuumed by itself.
    """
    is_judged = (RunRow.status == RunStatus.RUNNING) & (RunRow.heartbeat_at >= now - LEASE)
    is_read = exists().where(RunIntakeRow.run_id == RunRow.id, RunIntakeRow.alive_at >= now - LEASE)
    with db.read() as connection:
        if connection.execute(select(RunRow.id).where(is_judged | is_read).limit(1)).first() is not None:
            return
    db.give_space_back()
