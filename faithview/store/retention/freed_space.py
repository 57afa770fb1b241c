"""Space that deletions free in a store, and when it goes back to the disk."""

from datetime import datetime

from sqlalchemy import select

from faithview.store.database import Database
from faithview.store.runs.intake.busy import is_busy
from faithview.store.schema.runs import RunRow


def give_space_back(db: Database, *, now: datetime) -> None:
    """Make an SQLite file smaller after deletions if a fifth of it is free; what is left is free for new rows.

    The file is written anew, which nobody else can write to meanwhile: not while a run is judged or its file read. On
    PostgreSQL freed space is reused once it has vacuumed by itself.
    """
    with db.read() as connection:
        if connection.execute(select(RunRow.id).where(is_busy(now)).limit(1)).first() is not None:
            return
    db.give_space_back()
