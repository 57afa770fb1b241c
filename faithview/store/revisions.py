"""Numbers that grow with every write, so that caches notice that something changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from faithview.store.database import Database
from faithview.store.schema.review import LabelRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import RunRow

_MOST_IDS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A run's state. Two equal revisions mean that neither the results nor the labels of the run changed between them.

    `results` grows with every write to the run. `label` is the id of its newest label, 0 without labels: labels are
    only ever added, and what follows from them is computed in the same transaction.
    """

    run_id: str
    results: int
    label: int


def list_revisions(db: Database, run_ids: Sequence[str]) -> dict[str, Revision]:
    """Return the revisions of these runs by id; unknown runs are left out."""
    newest = select(func.max(LabelRow.id)).where(LabelRow.run_id == RunRow.id).correlate(RunRow).scalar_subquery()
    revisions: dict[str, Revision] = {}
    with db.read() as connection:
        for first in range(0, len(run_ids), _MOST_IDS):
            wanted = RunRow.id.in_(run_ids[first : first + _MOST_IDS])
            for row in connection.execute(select(RunRow.id, RunRow.revision, newest.label("label")).where(wanted)):
                revisions[row.id] = Revision(run_id=row.id, results=row.revision, label=row.label or 0)
    return revisions


def newest_spot_check(db: Database) -> int:
    """Return the id of the newest spot-check, 0 where there is none; one of whole runs never changes."""
    with db.read() as connection:
        return connection.execute(select(func.max(SpotCheckRow.id))).scalar() or 0


def list_drawn_runs(db: Database) -> dict[str, tuple[int, ...]]:
    """Return for each run the ids of the spot-checks that sampled it as a whole, oldest first."""
    query = (
        select(SpotCheckItemRow.run_id, SpotCheckItemRow.spot_check_id)
        .join(SpotCheckRow, SpotCheckRow.id == SpotCheckItemRow.spot_check_id)
        .where(SpotCheckRow.population.is_(None))
        .distinct()
        .order_by(SpotCheckItemRow.spot_check_id)
    )
    drawn: dict[str, tuple[int, ...]] = {}
    with db.read() as connection:
        for row in connection.execute(query):
            drawn[row.run_id] = (*drawn.get(row.run_id, ()), row.spot_check_id)
    return drawn
