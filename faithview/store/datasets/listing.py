"""Which data sets there are, with their versions and runs; renamed and deleted."""

from collections import defaultdict
from datetime import datetime

from sqlalchemy import Connection, delete, func, select, update

from faithview.domain.audit import Action
from faithview.domain.dataset import DatasetVersion, NamedDataset
from faithview.domain.errors import NotFound, RunConflict
from faithview.store import dialect
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.dataset_versions import to_version, version_columns
from faithview.store.runs.archive import is_in_use
from faithview.store.schema.datasets import (
    DatasetHeldOutRow,
    DatasetTagRow,
    DatasetVersionRow,
    NamedDatasetRow,
    RunDatasetRow,
)
from faithview.store.schema.runs import RunRow


def list_datasets(db: Database) -> list[NamedDataset]:
    """Return the data sets, that with the newest run first; those without a run come last."""
    with db.read() as connection:
        stored = connection.execute(select(NamedDatasetRow.id, NamedDatasetRow.name)).all()
        versions = _load_versions(connection)
        newest = _load_newest(connection)
        tags = _load_tags(connection)
        held_out = _count_held_out(connection)
    listed = [
        NamedDataset(
            dataset_id=row.id,
            name=row.name,
            versions=tuple(versions[row.id]),
            newest_at=newest.get(row.id),
            tags=tuple(tags[row.id]),
            held_out=held_out.get(row.id, 0),
        )
        for row in stored
    ]
    listed.sort(key=lambda dataset: dataset.name)
    return sorted(listed, key=lambda d: d.newest_at.timestamp() if d.newest_at else 0.0, reverse=True)


def list_runs_over(db: Database, version_id: int) -> list[str]:
    """Return the ids of the runs over a version, archived ones too, the one that was made last first."""
    query = (
        select(RunRow.id)
        .join(RunDatasetRow, RunDatasetRow.run_id == RunRow.id)
        .where(RunDatasetRow.version_id == version_id)
        .order_by(RunRow.created_at.desc(), RunRow.id)
    )
    with db.read() as connection:
        return list(connection.execute(query).scalars())


def find_runs_over(db: Database, content_hash: str, *, limit: int) -> list[str]:
    """Return the ids of the runs in use over these rows, of any data set, the one that was made last first."""
    query = (
        select(RunRow.id)
        .join(RunDatasetRow, RunDatasetRow.run_id == RunRow.id)
        .join(DatasetVersionRow, DatasetVersionRow.id == RunDatasetRow.version_id)
        .where(DatasetVersionRow.content_hash == content_hash, is_in_use(), RunRow.repeat_of.is_(None))
        .order_by(RunRow.created_at.desc(), RunRow.id)
        .limit(limit)
    )
    with db.read() as connection:
        return list(connection.execute(query).scalars())


def rename_dataset(db: Database, dataset_id: int, name: str) -> None:
    """Give a data set another name; raises RunConflict where another one has it."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        taken = select(NamedDatasetRow.id).where(
            dialect.equals(NamedDatasetRow.name, name), NamedDatasetRow.id != dataset_id
        )
        if connection.execute(taken).first() is not None:
            raise RunConflict(f"Another data set is named {name!r}; choose a name that none has.")
        record(connection, Action.DATASET_RENAMED, subject=_name(connection, dataset_id), detail=name)
        connection.execute(update(NamedDatasetRow).where(NamedDatasetRow.id == dataset_id).values(name=name))


def delete_dataset(db: Database, dataset_id: int) -> None:
    """Delete a data set that no run is over, with its tags and what is held out.

    Raises:
        RunConflict: a run is over it.
        NotFound: it is gone.
    """
    used = select(DatasetVersionRow.id).where(DatasetVersionRow.dataset_id == dataset_id).limit(1)
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        if connection.execute(used).first() is not None:
            raise RunConflict("There are runs over this data set; delete them first.")
        deleted = delete(NamedDatasetRow).where(NamedDatasetRow.id == dataset_id).returning(NamedDatasetRow.name)
        name = connection.execute(deleted).scalar()
        if name is None:
            raise NotFound("The data set was deleted meanwhile.")
        record(connection, Action.DATASET_DELETED, subject=name)


def _name(connection: Connection, dataset_id: int) -> str | None:
    return connection.execute(select(NamedDatasetRow.name).where(NamedDatasetRow.id == dataset_id)).scalar()


def _load_versions(connection: Connection) -> dict[int, list[DatasetVersion]]:
    version = DatasetVersionRow
    counted = select(RunDatasetRow.version_id, func.count().label("runs")).group_by(RunDatasetRow.version_id).subquery()
    query = (
        select(version.dataset_id, *version_columns(), func.coalesce(counted.c.runs, 0).label("runs"))
        .join(NamedDatasetRow, NamedDatasetRow.id == version.dataset_id)
        .outerjoin(counted, counted.c.version_id == version.id)
        .order_by(version.dataset_id, version.number)
    )
    versions: defaultdict[int, list[DatasetVersion]] = defaultdict(list)
    for row in connection.execute(query):
        versions[row.dataset_id].append(to_version(row, runs=row.runs))
    return versions


def _load_newest(connection: Connection) -> dict[int, datetime]:
    query = (
        select(DatasetVersionRow.dataset_id, func.max(RunRow.created_at).label("newest_at"))
        .join(RunDatasetRow, RunDatasetRow.version_id == DatasetVersionRow.id)
        .join(RunRow, RunRow.id == RunDatasetRow.run_id)
        .group_by(DatasetVersionRow.dataset_id)
    )
    return {row.dataset_id: row.newest_at for row in connection.execute(query)}


def _load_tags(connection: Connection) -> dict[int, list[tuple[str, int]]]:
    row = DatasetTagRow
    query = select(row.dataset_id, row.tag, func.count().label("subjects")).group_by(row.dataset_id, row.tag)
    tags: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for found in connection.execute(query.order_by(row.dataset_id, row.tag)):
        tags[found.dataset_id].append((found.tag, found.subjects))
    return tags


def _count_held_out(connection: Connection) -> dict[int, int]:
    row = DatasetHeldOutRow
    query = select(row.dataset_id, func.count()).group_by(row.dataset_id)
    return {found[0]: found[1] for found in connection.execute(query)}
