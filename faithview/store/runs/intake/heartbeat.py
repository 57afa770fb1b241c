"""Whether the worker of a run is alive, by its last sign of life."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement

from faithview.domain.run import MOST_AHEAD, is_sign_of_life
from faithview.store.schema.runs import RunRow

# A worker reports every second or so that it is alive. After this long without a report it counts as gone: long enough
# for a machine that sleeps briefly and for a judge that blocks the processor.
LEASE = timedelta(seconds=20)


def is_alive(now: datetime) -> ColumnElement[bool]:
    """Return the condition that a run's worker is alive."""
    return RunRow.heartbeat_at.between(now - LEASE, now + MOST_AHEAD)


def is_silent(heartbeat_at: datetime | None, now: datetime) -> bool:
    """Return whether a worker with this last sign of life is not."""
    return heartbeat_at is None or not is_sign_of_life(heartbeat_at, now, lease=LEASE)
