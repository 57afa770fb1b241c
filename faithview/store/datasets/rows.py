"""The rows of a version: those of its newest run, filtered, and what they and their questions are as hashes."""

from sqlalchemy import ColumnElement, Connection, exists, func, or_, select

from faithview.domain.dataset import DatasetRow, Part, RowFilter, RowIdentity
from faithview.domain.sample import find_unstorable
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.dataset_versions import load_identities, subject_column
from faithview.store.datasets.marks import load_held_out, load_tags
from faithview.store.runs.samples import load_chunks, to_sample
from faithview.store.schema.datasets import DatasetHeldOutRow, DatasetTagRow, RunDatasetRow
from faithview.store.schema.runs import ChunkRow, ResultRow, RunRow, SampleChunkRow, SampleRow
from faithview.store.search.text_search import contains

_ROWS = SampleRow.__table__.join(ResultRow.__table__, ResultRow.sample_id == SampleRow.id)


def find_run(db: Database, version_id: int) -> str:
    """Return the id of the newest run over the version, whose rows are the version's; "" where there is none."""
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
    """Return the rows that the filter lets through, in the order of the file.

    Args:
        db: the store.
        dataset_id: the data set.
        version_id: one of its versions.
        filters: which rows.
        limit: at most so many.
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
    """Return how many rows the filter lets through."""
    with db.read() as connection:
        run_id = _find_run(connection, version_id)
        query = select(func.count()).select_from(_ROWS).where(*_conditions(db, dataset_id, run_id, filters))
        return connection.execute(query).scalar_one()


def count_questions(db: Database, dataset_id: int, version_id: int, filters: RowFilter) -> int:
    """Return how many different questions the rows are about that the filter lets through."""
    with db.read() as connection:
        run_id = _find_run(connection, version_id)
        query = select(func.count(subject_column().distinct())).select_from(_ROWS)
        return connection.execute(query.where(*_conditions(db, dataset_id, run_id, filters))).scalar_one()


def list_subjects(db: Database, dataset_id: int, version_id: int, filters: RowFilter) -> list[str]:
    """Return what the rows that the filter lets through are about, a question of several rows as often as it occurs."""
    with db.read() as connection:
        run_id = _find_run(connection, version_id)
        query = select(subject_column()).select_from(_ROWS).where(*_conditions(db, dataset_id, run_id, filters))
        return list(connection.execute(query).scalars())


def list_keys(db: Database, dataset_id: int, version_id: int, keys: tuple[str, ...]) -> set[str]:
    """Return which of these ids rows of the version have."""
    with db.read() as connection:
        run_id = _find_run(connection, version_id)
        query = select(SampleRow.key).select_from(_ROWS)
        return set(
            connection.execute(query.where(*_conditions(db, dataset_id, run_id, RowFilter(keys=keys)))).scalars()
        )


def load_version_rows(db: Database, version_id: int) -> list[RowIdentity]:
    """Return what the rows of a version are and what they are about."""
    with db.read() as connection:
        return load_identities(connection, _find_run(connection, version_id))


def _find_run(connection: Connection, version_id: int) -> str:
    """Return the newest run over the version; "" where there is none any more."""
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
        where.append(_holds(filters.search, db.dialect_name))
    return where


def _holds(text: str, dialect_name: str) -> ColumnElement[bool]:
    columns = (SampleRow.question, SampleRow.answer, SampleRow.reference, SampleRow.key)
    in_chunk = (
        select(SampleChunkRow.sample_id)
        .join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id)
        .where(SampleChunkRow.sample_id == SampleRow.id, contains(ChunkRow.text, text, dialect=dialect_name))
    )
    return or_(*(contains(column, text, dialect=dialect_name) for column in columns), in_chunk.exists())
