"""Runs that are kept but no longer listed, and what deleting a run takes along.

**The rule.** An archived run is in no list and nothing rests on it: it is not on Overview, in a trend, a picker or on
Judges, no run is compared with it by default, its alerts are not open, and a series that has only
archived runs is not listed. Whoever names it still gets it: by its link, its id or its name it opens, exports and
compares as before. It stays in its series, which later runs over the same questions still join; its labels still count
for equal claims of other runs, and its verdicts are still reused. Its repeats are archived and brought back with it.

Every list of runs asks `is_in_use`.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, func, or_, select, update

from faithview.domain.run import RunContents
from faithview.store.database import Database
from faithview.store.schema.review import LabelRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, RunRow, SampleRow


def is_in_use() -> ColumnElement[bool]:
    """Return the condition that a run is not archived."""
    return RunRow.archived_at.is_(None)


def set_archived(db: Database, run_id: str, at: datetime | None) -> None:
    """Archive the run and its repeats as of that moment, or bring them back (None)."""
    with db.write() as connection:
        connection.execute(
            update(RunRow).where(or_(RunRow.id == run_id, RunRow.repeat_of == run_id)).values(archived_at=at)
        )


def load_contents(db: Database, run_id: str) -> RunContents:
    """Return what would be deleted with the run."""
    items = (
        select(
            SpotCheckRow.id,
            SpotCheckRow.name,
            func.count().label("items"),
            func.count().filter(SpotCheckItemRow.run_id == run_id).label("here"),
        )
        .join(SpotCheckItemRow, SpotCheckItemRow.spot_check_id == SpotCheckRow.id)
        .group_by(SpotCheckRow.id, SpotCheckRow.name)
        .order_by(SpotCheckRow.id)
    )
    labels = (
        select(LabelRow.reviewer, func.count())
        .where(LabelRow.run_id == run_id, LabelRow.origin.is_(None), LabelRow.retracts.is_(None))
        .group_by(LabelRow.reviewer)
        .order_by(LabelRow.reviewer)
    )
    with db.read() as connection:
        checks = connection.execute(items).all()
        return RunContents(
            answers=connection.execute(
                select(func.count()).select_from(SampleRow).where(SampleRow.run_id == run_id)
            ).scalar_one(),
            claims=connection.execute(
                select(func.count()).select_from(ClaimRow).where(ClaimRow.run_id == run_id)
            ).scalar_one(),
            labels={row[0]: row[1] for row in connection.execute(labels)},
            spot_checks=tuple(check.name for check in checks if check.here == check.items),
            shortened_spot_checks=tuple(check.name for check in checks if 0 < check.here < check.items),
            repeats=connection.execute(
                select(func.count()).select_from(RunRow).where(RunRow.repeat_of == run_id)
            ).scalar_one(),
        )
