"""Data sets: their rows, their tags, and held-out rows.

The rows of a version are those of its newest run. Tags and held-out marks apply to the rows' subjects
(`domain.dataset.subject_hash`).
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, exists, func, or_, select, update

from faithview.domain.audit import Action
from faithview.domain.dataset import DatasetRow, DatasetVersion, NamedDataset, Part, RowFilter, RowIdentity
from faithview.domain.errors import NotFound, RunConflict
from faithview.domain.sample import find_unstorable
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.dataset_versions import load_identities, subject_column, to_version, version_columns
from faithview.store.samples import load_chunks, to_sample
from faithview.store.schema.datasets import (
    DatasetHeldOutRow,
    DatasetTagRow,
    DatasetVersionRow,
    NamedDatasetRow,
    RunDatasetRow,
)
from faithview.store.schema.runs import ChunkRow, ResultRow, RunRow, SampleChunkRow, SampleRow
from faithview.store.search import contains
from faithview.store.series import is_in_use


def list_datasets(db: Database) -> list[NamedDataset]:
    """Return the data sets, newest run first; those without a run come last."""
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
    """Return the ids of the runs over a version, including archived ones, newest first."""
    query = (
        select(RunRow.id)
        .join(RunDatasetRow, RunDatasetRow.run_id == RunRow.id)
        .where(RunDatasetRow.version_id == version_id)
        .order_by(RunRow.created_at.desc(), RunRow.id)
    )
    with db.read() as connection:
        return list(connection.execute(query).scalars())


def find_runs_over(db: Database, content_hash: str, *, limit: int) -> list[str]:
    """Return the ids of the runs, not archived, over these rows, of any data set, newest first."""
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
    """Rename a data set; raises RunConflict if another one has the name."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        taken = select(NamedDatasetRow.id).where(
            dialect.equals(NamedDatasetRow.name, name), NamedDatasetRow.id != dataset_id
        )
        if connection.execute(taken).first() is not None:
            raise RunConflict(f"Another data set is named {name!r}; choose another name.")
        record(connection, Action.DATASET_RENAMED, subject=_dataset_name(connection, dataset_id), detail=name)
        connection.execute(update(NamedDatasetRow).where(NamedDatasetRow.id == dataset_id).values(name=name))


def delete_dataset(db: Database, dataset_id: int) -> None:
    """Delete a data set that no run uses, with its tags and held-out marks.

    Raises:
        RunConflict: a run uses it.
        NotFound: it was deleted.
    """
    used = select(DatasetVersionRow.id).where(DatasetVersionRow.dataset_id == dataset_id).limit(1)
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        if connection.execute(used).first() is not None:
            raise RunConflict("Runs use this data set; delete them first.")
        deleted = delete(NamedDatasetRow).where(NamedDatasetRow.id == dataset_id).returning(NamedDatasetRow.name)
        name = connection.execute(deleted).scalar()
        if name is None:
            raise NotFound("The data set has been deleted.")
        record(connection, Action.DATASET_DELETED, subject=name)


def _dataset_name(connection: Connection, dataset_id: int) -> str | None:
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


def add_tag(db: Database, dataset_id: int, subjects: Collection[str], tag: str, *, by: str, at: datetime) -> int:
    """Tag subjects of rows, and return how many did not have the tag."""
    with db.write() as connection:
        known = load_tags(connection, dataset_id, list(subjects))
        new = sorted(subject for subject in set(subjects) if tag not in known.get(subject, ()))
        if new:
            # Another user may add one of them at the same moment.
            add = dialect.insert_ignore(db.dialect_name)(DatasetTagRow, ["dataset_id", "subject", "tag"])
            values = {"dataset_id": dataset_id, "tag": tag, "added_by": by, "at": at}
            connection.execute(add, [{**values, "subject": subject} for subject in new])
            _record_change(connection, Action.TAG_ADDED, dataset_id, len(new), tag=tag)
    return len(new)


def remove_tag(db: Database, dataset_id: int, subjects: Collection[str], tag: str) -> int:
    """Remove a tag, and return how many had it."""
    row, removed = DatasetTagRow, 0
    with db.write() as connection:
        for batch in dialect.batches(sorted(set(subjects))):
            removed += connection.execute(
                delete(row).where(row.dataset_id == dataset_id, row.subject.in_(batch), dialect.equals(row.tag, tag))
            ).rowcount
        _record_change(connection, Action.TAG_REMOVED, dataset_id, removed, tag=tag)
    return removed


def hold_out(db: Database, dataset_id: int, subjects: Collection[str], *, by: str, at: datetime) -> int:
    """Hold out subjects of rows, and return how many were not held out before."""
    with db.write() as connection:
        new = sorted(set(subjects) - load_held_out(connection, dataset_id, list(subjects)))
        if new:
            add = dialect.insert_ignore(db.dialect_name)(DatasetHeldOutRow, ["dataset_id", "subject"])
            values = {"dataset_id": dataset_id, "held_out_by": by, "at": at}
            connection.execute(add, [{**values, "subject": subject} for subject in new])
            _record_change(connection, Action.ROWS_HELD_OUT, dataset_id, len(new))
    return len(new)


def release(db: Database, dataset_id: int, subjects: Collection[str]) -> int:
    """Release these subjects, and return how many were held out."""
    row, removed = DatasetHeldOutRow, 0
    with db.write() as connection:
        for batch in dialect.batches(sorted(set(subjects))):
            removed += connection.execute(
                delete(row).where(row.dataset_id == dataset_id, row.subject.in_(batch))
            ).rowcount
        _record_change(connection, Action.ROWS_RELEASED, dataset_id, removed)
    return removed


def _record_change(
    connection: Connection, action: Action, dataset_id: int, items: int, *, tag: str | None = None
) -> None:
    """Record a change of `items` rows in the audit log, unless none was changed."""
    if items:
        name = connection.execute(select(NamedDatasetRow.name).where(NamedDatasetRow.id == dataset_id)).scalar()
        record(connection, action, subject=name, detail=tag, items=items)


def list_held_out(db: Database) -> frozenset[str]:
    """Return the subjects that are held out in any data set of the store (`domain.dataset.subject_hash`)."""
    with db.read() as connection:
        return frozenset(connection.execute(select(DatasetHeldOutRow.subject).distinct()).scalars())


def load_tags(connection: Connection, dataset_id: int, subjects: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the tags of each subject in alphabetical order; subjects without tags are missing."""
    row = DatasetTagRow
    tags: defaultdict[str, list[str]] = defaultdict(list)
    for batch in dialect.batches(subjects):
        query = select(row.subject, row.tag).where(row.dataset_id == dataset_id, row.subject.in_(batch))
        for found in connection.execute(query.order_by(row.tag)):
            tags[found.subject].append(found.tag)
    return {subject: tuple(listed) for subject, listed in tags.items()}


def load_held_out(connection: Connection, dataset_id: int, subjects: Sequence[str]) -> frozenset[str]:
    """Return which of these subjects are held out."""
    row = DatasetHeldOutRow
    held_out: set[str] = set()
    for batch in dialect.batches(subjects):
        query = select(row.subject).where(row.dataset_id == dataset_id, row.subject.in_(batch))
        held_out.update(connection.execute(query).scalars())
    return frozenset(held_out)


_ROWS = SampleRow.__table__.join(ResultRow.__table__, ResultRow.sample_id == SampleRow.id)


def find_run(db: Database, version_id: int) -> str:
    """Return the id of the newest run over the version, whose rows are the version's, or ""."""
    with db.read() as connection:
        return _find_run(connection, version_id)


def list_rows(
    db: Database,
    dataset_id: int,
    version_id: int,
    filters: RowFilter,
    *,
    limit: int,
    after: int = 0,
    offset: int = 0,
    run_id: str | None = None,
) -> list[DatasetRow]:
    """Return the rows that match the filter, in the order of the file.

    Args:
        db: the store.
        dataset_id: the data set.
        version_id: one of its versions.
        filters: which rows.
        limit: the maximum number of rows.
        after: only rows after that position.
        offset: how many of those to skip.
        run_id: the run over the version whose rows are read; None for the newest.
    """
    with db.read() as connection:
        run_id = _find_run(connection, version_id) if run_id is None else run_id
        subject = subject_column()
        query = (
            select(
                SampleRow.__table__,
                ResultRow.segment,
                ResultRow.timestamp,
                ResultRow.inclusion_probability,
                subject.label("subject"),
            )
            .join(ResultRow, ResultRow.sample_id == SampleRow.id)
            .where(*_conditions(db, dataset_id, run_id, filters), SampleRow.position > after)
            .order_by(SampleRow.position)
            .limit(limit)
            .offset(offset)
        )
        rows = connection.execute(query).all()
        chunks = load_chunks(connection, [row.id for row in rows])
        subjects = list({row.subject for row in rows})
        tags = load_tags(connection, dataset_id, subjects)
        held_out = load_held_out(connection, dataset_id, subjects)
    return [
        DatasetRow(
            position=row.position,
            sample=to_sample(row, chunks.get(row.id, ())),
            subject=row.subject,
            tags=tags.get(row.subject, ()),
            is_held_out=row.subject in held_out,
        )
        for row in rows
    ]


def count_rows(db: Database, dataset_id: int, version_id: int, filters: RowFilter) -> int:
    """Return how many rows match the filter."""
    with db.read() as connection:
        run_id = _find_run(connection, version_id)
        query = select(func.count()).select_from(_ROWS).where(*_conditions(db, dataset_id, run_id, filters))
        return connection.execute(query).scalar_one()


def count_questions(db: Database, dataset_id: int, version_id: int, filters: RowFilter) -> int:
    """Return how many distinct questions the rows that match the filter have."""
    with db.read() as connection:
        run_id = _find_run(connection, version_id)
        query = select(func.count(subject_column().distinct())).select_from(_ROWS)
        return connection.execute(query.where(*_conditions(db, dataset_id, run_id, filters))).scalar_one()


def list_subjects(db: Database, dataset_id: int, version_id: int, filters: RowFilter) -> list[str]:
    """Return the subjects of the rows that match the filter, with repetitions."""
    with db.read() as connection:
        run_id = _find_run(connection, version_id)
        query = select(subject_column()).select_from(_ROWS).where(*_conditions(db, dataset_id, run_id, filters))
        return list(connection.execute(query).scalars())


def list_keys(db: Database, dataset_id: int, version_id: int, keys: tuple[str, ...]) -> set[str]:
    """Return which of these ids occur in the version's rows."""
    with db.read() as connection:
        run_id = _find_run(connection, version_id)
        query = select(SampleRow.key).select_from(_ROWS)
        return set(
            connection.execute(query.where(*_conditions(db, dataset_id, run_id, RowFilter(keys=keys)))).scalars()
        )


def load_version_rows(db: Database, version_id: int) -> list[RowIdentity]:
    """Return the identity and the subject of each row of a version."""
    with db.read() as connection:
        return load_identities(connection, _find_run(connection, version_id))


def _find_run(connection: Connection, version_id: int) -> str:
    """Return the newest run over the version, or ""."""
    query = (
        select(RunRow.id)
        .join(RunDatasetRow, RunDatasetRow.run_id == RunRow.id)
        .where(RunDatasetRow.version_id == version_id)
        .order_by(RunRow.created_at.desc(), RunRow.id)
        .limit(1)
    )
    return connection.execute(query).scalar_one_or_none() or ""


def _conditions(db: Database, dataset_id: int, run_id: str, filters: RowFilter) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = [SampleRow.run_id == run_id]
    subject = subject_column()
    if filters.part is not Part.ALL:
        row = DatasetHeldOutRow
        is_held_out = exists().where(row.dataset_id == dataset_id, row.subject == subject)
        where.append(is_held_out if filters.part is Part.HELD_OUT else ~is_held_out)
    if filters.tag is not None:
        tag = DatasetTagRow
        where.append(
            exists().where(tag.dataset_id == dataset_id, tag.subject == subject, dialect.equals(tag.tag, filters.tag))
        )
    if filters.keys is not None:
        where.append(SampleRow.key.in_([key for key in filters.keys if find_unstorable(key) is None]))
    if filters.search:
        where.append(_contains_text(filters.search, db.dialect_name))
    return where


def _contains_text(text: str, dialect_name: str) -> ColumnElement[bool]:
    columns = (SampleRow.question, SampleRow.answer, SampleRow.reference, SampleRow.key)
    in_chunk = (
        select(SampleChunkRow.sample_id)
        .join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id)
        .where(SampleChunkRow.sample_id == SampleRow.id, contains(ChunkRow.text, text, dialect=dialect_name))
    )
    return or_(*(contains(column, text, dialect=dialect_name) for column in columns), in_chunk.exists())
