"""Where judging a run by the vendor's batches stands, kept so that another process can go on with it."""

from sqlalchemy import insert, select, update

from faithview.store.database import Database
from faithview.store.schema.runs import RunBatchRow


def save_state(db: Database, run_id: str, state: str) -> None:
    """Keep the state of a run's batches in place of what was kept before."""
    with db.write() as connection:
        changed = connection.execute(update(RunBatchRow).where(RunBatchRow.run_id == run_id).values(state=state))
        if changed.rowcount == 0:
            connection.execute(insert(RunBatchRow), {"run_id": run_id, "state": state})


def find_state(db: Database, run_id: str) -> str | None:
    """Return the state of a run's batches; None for a run that is judged at once."""
    with db.read() as connection:
        return connection.execute(select(RunBatchRow.state).where(RunBatchRow.run_id == run_id)).scalar_one_or_none()
