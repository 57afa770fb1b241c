"""Numbers that grow with every write, by which caches detect changes."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.schema.review import LabelRow, SpotCheckItemRow
from faithview.store.schema.runs import RunRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A run's state. Equal revisions mean that neither the results nor the labels of the run changed in between.

    `results` grows with every write to the run. `label` is the id of its newest label, 0 without labels: labels are
    only added, and derived data are computed in the same transaction.
    """

    run_id: str
    results: int
    label: int


def list_revisions(db: Database, run_ids: Sequence[str]) -> dict[str, Revision]:
    """Return the revisions of these runs by id; unknown runs are left out."""
    newest = select(func.max(LabelRow.id)).where(LabelRow.run_id == RunRow.id).correlate(RunRow).scalar_subquery()
    query = select(RunRow.id, RunRow.revision, newest.label("label")).where(dialect.among(RunRow.id, run_ids))
    with db.read() as connection:
        return {
            row.id: Revision(run_id=row.id, results=row.revision, label=row.label or 0)
            for row in connection.execute(query)
        }


def list_drawn_runs(db: Database) -> dict[str, int]:
    """Return for each run the number of claims that spot-checks drew from it; runs without any are left out."""
    query = select(SpotCheckItemRow.run_id, func.count()).group_by(SpotCheckItemRow.run_id)
    with db.read() as connection:
        return dict(connection.execute(query).all())
