"""Whether a run is being worked on: judged by a worker that is alive, or its file read."""

from datetime import datetime

from sqlalchemy import ColumnElement, exists

from faithview.domain.run import MOST_AHEAD, RunStatus
from faithview.store.runs.intake.heartbeat import LEASE, is_alive
from faithview.store.schema.runs import RunIntakeRow, RunRow


def is_busy(now: datetime) -> ColumnElement[bool]:
    """Return the condition for a run that is."""
    is_judged = (RunRow.status == RunStatus.RUNNING) & is_alive(now)
    is_read = exists().where(
        RunIntakeRow.run_id == RunRow.id, RunIntakeRow.alive_at.between(now - LEASE, now + MOST_AHEAD)
    )
    return is_judged | is_read
