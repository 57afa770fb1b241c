"""Whether anything changed that figures rest on, told by a few numbers that grow with every write."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from faithview.store.database import Database
from faithview.store.schema.review import LabelRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import RunRow

_MOST_IDS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A run's state. Equal ones of the same run mean that neither its results nor its labels have changed between.

    `results` grows with every write to the run. `label` is the id of its newest label, 0 where there is none: labels
    are only ever added, and what follows from them is worked out in the same transaction.
    """

    run_id: str
    results: int
    label: int


def list_revisions(db: Database, run_ids: Sequence[str]) -> dict[str, Revision]:
    """Return the states of these runs by id; runs that are not there are left out."""
    newest = select(func.max(LabelRow.id)).where(LabelRow.run_id == RunRow.id).correlate(RunRow).scalar_subquery()
    found: dict[str, Revision] = {}
    with db.read() as connection:
        for first in range(0, len(run_ids), _MOST_IDS):
            wanted = RunRow.id.in_(run_ids[first : first + _MOST_IDS])
            for row in connection.execute(select(RunRow.id, RunRow.revision, newest.label("label")).where(wanted)):
                found[row.id] = Revision(run_id=row.id, results=row.revision, label=row.label or 0)
    return found


def newest_spot_check(db: Database) -> int:
    """Return the id of the newest spot-check, 0 where there is none; draws never change."""
    with db.read() as connection:
        return connection.execute(select(func.max(SpotCheckRow.id))).scalar() or 0


def list_drawn_runs(db: Database) -> dict[str, tuple[int, ...]]:
    """Return the ids of the spot-checks that drew something from each run, oldest first."""
    query = (
        select(SpotCheckItemRow.run_id, SpotCheckItemRow.spot_check_id)
        .distinct()
        .order_by(SpotCheckItemRow.spot_check_id)
    )
    found: dict[str, tuple[int, ...]] = {}
    with db.read() as connection:
        for row in connection.execute(query):
            found[row.run_id] = (*found.get(row.run_id, ()), row.spot_check_id)
    return found
