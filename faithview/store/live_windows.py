"""Which window of live traffic a run judges."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from faithview.domain.live.window import LiveWindow
from faithview.store import dialect
from faithview.store.schema.live import LiveWindowRow


def load_windows(connection: Connection, run_ids: Sequence[str]) -> dict[str, LiveWindow]:
    """Return by run the window that it judges; runs that judge none are missing."""
    row = LiveWindowRow
    query = select(row.run_id, row.application, row.starts_at, row.ends_at, row.sample_rate, row.logged)
    # One query for many runs: most stores have no windows at all, and none has more of them than runs.
    wanted = row.run_id.in_(run_ids) if len(run_ids) <= dialect.BATCH_SIZE else row.run_id.is_not(None)
    return {
        str(found.run_id): LiveWindow(
            application=found.application,
            starts_at=found.starts_at,
            ends_at=found.ends_at,
            sample_rate=found.sample_rate,
            logged=found.logged,
        )
        for found in connection.execute(query.where(wanted))
    }
