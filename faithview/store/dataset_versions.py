"""The data set and version of each run (`domain/dataset.py` has the rules).

A new run gets its version together with its last row, in one transaction; a run with missing rows is not in a data set.
Runs that are older than data sets are placed when data sets are first listed or a run is stored
(`services/datasets.py`), because a migration would have to read every row of a large store first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, delete, exists, func, insert, select

from faithview.domain import content_hashes
from faithview.domain.dataset import DatasetVersion, RowIdentity, shared_share
from faithview.domain.run import Run, unused_name
from faithview.domain.series import CHECKED_ANSWERS, SHARED_QUESTIONS, name_series
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.schema.datasets import (
    DatasetHeldOutRow,
    DatasetTagRow,
    DatasetVersionRow,
    NamedDatasetRow,
    RunDatasetRow,
)
from faithview.store.schema.live import LiveWindowRow
from faithview.store.schema.runs import ResultRow, RunIntakeRow, RunRow, SampleRow

# The characters that `str.split` treats as whitespace; a question may consist of only these.
_WHITE_SPACE = " \t\n\r\x0b\x0c\xa0\u2028\u2029\u3000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The content of a run: the hash of its rows (`content_hashes.rows_hash`), and their number."""

    content_hash: str
    rows: int


def load_content(connection: Connection, run_id: str) -> Content:
    """Return the content of a run whose rows are all stored."""
    in_run, has_reference = SampleRow.run_id == run_id, SampleRow.reference.is_not(None)
    with_reference = connection.execute(select(SampleRow.sample_hash, SampleRow.reference).where(in_run, has_reference))
    hashed = sorted(content_hashes.row_hash(row.sample_hash, row.reference) for row in with_reference)
    # A row without a reference equals its sample, so the database sorts the rows, and a large run takes no memory.
    by_hash = dialect.by_bytes(SampleRow.sample_hash, dialect=connection.dialect.name)
    plain = select(SampleRow.sample_hash).where(in_run, ~has_reference).order_by(by_hash)
    count = 0

    def in_order() -> Iterator[str]:
        nonlocal count
        streamed = connection.execute(plain, execution_options={"yield_per": dialect.BATCH_SIZE}).scalars()
        for value in merge(streamed, hashed):
            count += 1
            yield value

    content_hash = content_hashes.sorted_rows_hash(in_order())
    return Content(content_hash=content_hash, rows=count)


def place_in_dataset(connection: Connection, run: Run, content: Content, *, named: str | None) -> DatasetVersion | None:
    """Store the data set version of a stored run, and return it; None for a run without a data set.

    The caller must hold `dialect.RUNS_LOCK`.
    """
    if named is None and run.series == CHECKED_ANSWERS:
        return None
    dataset_id = _find_dataset(connection, run, content, named=named)
    if dataset_id is None:
        dataset_id = _begin_dataset(connection, run, named=named)
    version_id = _find_version(connection, dataset_id, content)
    if version_id is None:
        version_id = _begin_version(connection, dataset_id, run, content)
    connection.execute(insert(RunDatasetRow), {"run_id": run.run_id, "version_id": version_id})
    return load_versions(connection, [run.run_id])[run.run_id]


def list_unplaced(db: Database) -> list[str]:
    """Return the ids of the complete runs that are older than data sets and were not placed yet.

    The oldest run is first.
    """
    with db.read() as connection:
        return list(connection.execute(_unplaced().order_by(RunRow.created_at, RunRow.id)).scalars())


def place_older_run(db: Database, run: Run) -> None:
    """Store the version of an older run; does nothing if it is already known, or the run was deleted."""
    with db.read() as connection:
        content = load_content(connection, run.run_id)
    with db.bookkeep() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        if connection.execute(_unplaced().where(RunRow.id == run.run_id)).first() is not None:
            place_in_dataset(connection, run, content, named=None)


def load_versions(connection: Connection, run_ids: Sequence[str]) -> dict[str, DatasetVersion]:
    """Return by run its version, without the count of runs; runs without a version are missing."""
    query = (
        select(RunDatasetRow.run_id, *version_columns())
        .join(DatasetVersionRow, DatasetVersionRow.id == RunDatasetRow.version_id)
        .join(NamedDatasetRow, NamedDatasetRow.id == DatasetVersionRow.dataset_id)
    )
    # One query for many runs, because most of them have a version.
    if len(run_ids) <= dialect.BATCH_SIZE:
        query = query.where(RunDatasetRow.run_id.in_(run_ids))
    return {row.run_id: to_version(row) for row in connection.execute(query)}


def load_identities(connection: Connection, run_id: str) -> list[RowIdentity]:
    """Return the identity and the subject of each row of a run, in no particular order."""
    query = (
        select(SampleRow.sample_hash, SampleRow.reference, subject_column().label("subject"))
        .join(ResultRow, ResultRow.sample_id == SampleRow.id)
        .where(SampleRow.run_id == run_id)
    )
    return [
        RowIdentity(row_hash=content_hashes.row_hash(row.sample_hash, row.reference), subject=row.subject)
        for row in connection.execute(query)
    ]


def subject_column() -> ColumnElement[str]:
    """Return `domain.dataset.subject_hash` of a sample joined with its result: the cluster is the question's hash."""
    has_question = func.trim(func.coalesce(SampleRow.question, ""), _WHITE_SPACE) != ""
    return case(
        (has_question, ResultRow.cluster),
        (SampleRow.context_hash != content_hashes.context_hash(()), SampleRow.context_hash),
        else_=SampleRow.sample_hash,
    )


def version_columns() -> tuple[Any, ...]:
    """Return the columns that `to_version` reads."""
    version = DatasetVersionRow
    return (
        version.id.label("version_id"),
        NamedDatasetRow.name.label("dataset"),
        version.number,
        version.content_hash,
        version.rows,
        version.created_at,
    )


def to_version(row: Any, *, runs: int = 0) -> DatasetVersion:
    """Build the version from a row of `version_columns`."""
    return DatasetVersion(
        version_id=row.version_id,
        dataset=row.dataset,
        number=row.number,
        content_hash=row.content_hash,
        rows=row.rows,
        created_at=row.created_at,
        runs=runs,
    )


def remove_unused_versions(connection: Connection) -> None:
    """Delete the versions without runs, and the data sets that then have neither versions nor marks."""
    used = select(RunDatasetRow.run_id).where(RunDatasetRow.version_id == DatasetVersionRow.id)
    connection.execute(delete(DatasetVersionRow).where(~used.exists()))
    kept = (DatasetVersionRow, DatasetTagRow, DatasetHeldOutRow)
    connection.execute(
        delete(NamedDatasetRow).where(*(~exists().where(row.dataset_id == NamedDatasetRow.id) for row in kept))
    )


def _find_dataset(connection: Connection, run: Run, content: Content, *, named: str | None) -> int | None:
    if named is not None:
        query = select(NamedDatasetRow.id).where(dialect.equals(NamedDatasetRow.name, named))
        return connection.execute(query).scalar_one_or_none()
    if run.repeat_of is not None:
        found = connection.execute(_linked().where(RunDatasetRow.run_id == run.repeat_of)).first()
        if found is not None:
            return int(found.dataset_id)
    same = connection.execute(_linked().where(DatasetVersionRow.content_hash == content.content_hash)).first()
    if same is not None:
        return int(same.dataset_id)
    newest = connection.execute(_linked().where(dialect.equals(RunRow.series, run.series))).first()
    if newest is None:
        return None
    rows, others = (load_identities(connection, run_id) for run_id in (run.run_id, newest.run_id))
    return int(newest.dataset_id) if shared_share(rows, others) >= SHARED_QUESTIONS else None


def _linked() -> Select[str, int]:
    """Return the runs that are in a data set with the data set's id, newest first."""
    return (
        select(RunDatasetRow.run_id, DatasetVersionRow.dataset_id)
        .join(RunRow, RunRow.id == RunDatasetRow.run_id)
        .join(DatasetVersionRow, DatasetVersionRow.id == RunDatasetRow.version_id)
        .order_by(RunRow.created_at.desc(), RunRow.id)
        .limit(1)
    )


def _begin_dataset(connection: Connection, run: Run, *, named: str | None) -> int:
    taken = connection.execute(select(NamedDatasetRow.name)).scalars()
    name = named or unused_name(name_series(run.name), set(taken))
    values = {"name": name, "created_at": run.created_at}
    return connection.execute(insert(NamedDatasetRow).returning(NamedDatasetRow.id), values).scalar_one()


def _find_version(connection: Connection, dataset_id: int, content: Content) -> int | None:
    version = DatasetVersionRow
    is_same = version.content_hash == content.content_hash
    return connection.execute(select(version.id).where(version.dataset_id == dataset_id, is_same)).scalar_one_or_none()


def _begin_version(connection: Connection, dataset_id: int, run: Run, content: Content) -> int:
    version = DatasetVersionRow
    last = connection.execute(select(func.max(version.number)).where(version.dataset_id == dataset_id)).scalar()
    values = {
        "dataset_id": dataset_id,
        "number": (last or 0) + 1,
        "content_hash": content.content_hash,
        "rows": content.rows,
        "created_at": run.created_at,
    }
    return connection.execute(insert(version).returning(version.id), values).scalar_one()


def _unplaced() -> Select[str]:
    return select(RunRow.id).where(
        RunRow.series != CHECKED_ANSWERS,
        RunRow.texts_deleted_at.is_(None),
        ~exists().where(RunDatasetRow.run_id == RunRow.id),
        ~exists().where(LiveWindowRow.run_id == RunRow.id),
        ~exists().where(RunIntakeRow.run_id == RunRow.id),
    )
