"""The state of judging a run through a vendor's batches, stored so that another process can continue."""

from sqlalchemy import insert, select, update

from faithview.store.database import Database
from faithview.store.schema.runs import RunBatchRow


def save_state(db: Database, run_id: str, state: str) -> None:
    """Store the state of a run's batches in place of the older state."""
    with db.bookkeep() as connection:
        changed = connection.execute(update(RunBatchRow).where(RunBatchRow.run_id == run_id).values(state=state))
        if changed.rowcount == 0:
            connection.execute(insert(RunBatchRow), {"run_id": run_id, "state": state})


def find_state(db: Database, run_id: str) -> str | None:
    """Return the state of a run's batches; None for a run that does not use batches."""
    with db.read() as connection:
        return connection.execute(select(RunBatchRow.state).where(RunBatchRow.run_id == run_id)).scalar_one_or_none()
