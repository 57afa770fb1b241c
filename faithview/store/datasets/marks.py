"""Tags and held-out rows of data sets, by what the rows are about (`domain.dataset.subject_hash`)."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, select

from faithview.domain.audit import Action
from faithview.store import dialect
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.schema.datasets import DatasetHeldOutRow, DatasetTagRow, NamedDatasetRow


def add_tag(db: Database, dataset_id: int, subjects: Collection[str], tag: str, *, by: str, at: datetime) -> int:
    """Tag what some rows are about, and return how many did not have the tag."""
    with db.write() as connection:
        known = load_tags(connection, dataset_id, list(subjects))
        new = sorted(subject for subject in set(subjects) if tag not in known.get(subject, ()))
        if new:
            # Somebody else may add one of them at the same moment.
            add = dialect.insert_ignore(db.dialect_name)(DatasetTagRow, ["dataset_id", "subject", "tag"])
            values = {"dataset_id": dataset_id, "tag": tag, "added_by": by, "at": at}
            connection.execute(add, [{**values, "subject": subject} for subject in new])
            _record(connection, Action.TAG_ADDED, dataset_id, len(new), tag=tag)
    return len(new)


def remove_tag(db: Database, dataset_id: int, subjects: Collection[str], tag: str) -> int:
    """Take a tag away, and return how many had it."""
    row, removed = DatasetTagRow, 0
    with db.write() as connection:
        for batch in dialect.batches(sorted(set(subjects))):
            removed += connection.execute(
                delete(row).where(row.dataset_id == dataset_id, row.subject.in_(batch), dialect.equals(row.tag, tag))
            ).rowcount
        _record(connection, Action.TAG_REMOVED, dataset_id, removed, tag=tag)
    return removed


def hold_out(db: Database, dataset_id: int, subjects: Collection[str], *, by: str, at: datetime) -> int:
    """Hold out what some rows are about, and return how many were not held out yet."""
    with db.write() as connection:
        new = sorted(set(subjects) - load_held_out(connection, dataset_id, list(subjects)))
        if new:
            add = dialect.insert_ignore(db.dialect_name)(DatasetHeldOutRow, ["dataset_id", "subject"])
            values = {"dataset_id": dataset_id, "held_out_by": by, "at": at}
            connection.execute(add, [{**values, "subject": subject} for subject in new])
            _record(connection, Action.ROWS_HELD_OUT, dataset_id, len(new))
    return len(new)


def release(db: Database, dataset_id: int, subjects: Collection[str]) -> int:
    """Hold these out no longer, and return how many were held out."""
    row, removed = DatasetHeldOutRow, 0
    with db.write() as connection:
        for batch in dialect.batches(sorted(set(subjects))):
            removed += connection.execute(
                delete(row).where(row.dataset_id == dataset_id, row.subject.in_(batch))
            ).rowcount
        _record(connection, Action.ROWS_RELEASED, dataset_id, removed)
    return removed


def _record(connection: Connection, action: Action, dataset_id: int, items: int, *, tag: str | None = None) -> None:
    """Write down a change of so many rows; nothing where none was changed."""
    if items:
        name = connection.execute(select(NamedDatasetRow.name).where(NamedDatasetRow.id == dataset_id)).scalar()
        record(connection, action, subject=name, detail=tag, items=items)


def list_held_out(db: Database) -> frozenset[str]:
    """Return what is held out in any data set."""
    with db.read() as connection:
        return frozenset(connection.execute(select(DatasetHeldOutRow.subject).distinct()).scalars())


def load_tags(connection: Connection, dataset_id: int, subjects: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the tags of each of these in alphabetical order; those without one are missing."""
    row = DatasetTagRow
    tags: defaultdict[str, list[str]] = defaultdict(list)
    for batch in dialect.batches(subjects):
        query = select(row.subject, row.tag).where(row.dataset_id == dataset_id, row.subject.in_(batch))
        for found in connection.execute(query.order_by(row.tag)):
            tags[found.subject].append(found.tag)
    return {subject: tuple(listed) for subject, listed in tags.items()}


def load_held_out(connection: Connection, dataset_id: int, subjects: Sequence[str]) -> frozenset[str]:
    """Return which of these are held out."""
    row = DatasetHeldOutRow
    held_out: set[str] = set()
    for batch in dialect.batches(subjects):
        query = select(row.subject).where(row.dataset_id == dataset_id, row.subject.in_(batch))
        held_out.update(connection.execute(query).scalars())
    return frozenset(held_out)
