"""The tables of data sets (versions, their runs, tags, held-out rows) and of saved mappings.

    dataset 1─n dataset_version 1─n run_dataset 1─1 run
        │ 1─n dataset_tag, dataset_held_out     by a row's subject (`domain.dataset.subject_hash`)

The rows of a version are the samples of its newest run. A run without a row in `run_dataset` does not have a data set,
or is older than these tables and not placed yet (`store/dataset_versions.py`). No other table refers to saved mappings
of columns.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ColumnClause, ForeignKey, String, UniqueConstraint

from faithview.store.dialect import ContentHash
from faithview.store.schema.typed_tables import Base, column


class NamedDatasetRow(Base):
    """A data set."""

    __tablename__ = "dataset"

    id: ColumnClause[int] = column(primary_key=True)
    name: ColumnClause[str] = column(unique=True)
    created_at: ColumnClause[datetime]


class DatasetVersionRow(Base):
    """A version of a data set; `content_hash` is its `content_hashes.rows_hash`."""

    __tablename__ = "dataset_version"
    __table_args__ = (UniqueConstraint("dataset_id", "content_hash"), UniqueConstraint("dataset_id", "number"))

    id: ColumnClause[int] = column(primary_key=True)
    dataset_id: ColumnClause[int] = column(ForeignKey("dataset.id", ondelete="CASCADE"))
    number: ColumnClause[int]
    content_hash: ColumnClause[str] = column(ContentHash, index=True)
    rows: ColumnClause[int]
    created_at: ColumnClause[datetime]


class RunDatasetRow(Base):
    """The version of a run."""

    __tablename__ = "run_dataset"

    run_id: ColumnClause[str] = column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    version_id: ColumnClause[int] = column(ForeignKey("dataset_version.id"), index=True)


class DatasetTagRow(Base):
    """A tag on a subject of a data set's rows."""

    __tablename__ = "dataset_tag"

    dataset_id: ColumnClause[int] = column(ForeignKey("dataset.id", ondelete="CASCADE"), primary_key=True)
    subject: ColumnClause[str] = column(ContentHash, primary_key=True)
    tag: ColumnClause[str] = column(String(100), primary_key=True)
    added_by: ColumnClause[str]
    at: ColumnClause[datetime]


class DatasetHeldOutRow(Base):
    """A held-out subject of a data set's rows."""

    __tablename__ = "dataset_held_out"

    dataset_id: ColumnClause[int] = column(ForeignKey("dataset.id", ondelete="CASCADE"), primary_key=True)
    subject: ColumnClause[str] = column(ContentHash, primary_key=True, index=True)
    held_out_by: ColumnClause[str]
    at: ColumnClause[datetime]


class SavedMappingRow(Base):
    """A saved mapping with its name.

    `columns_hash` is the hash of the set of the file's columns, by which it is found for another file; `fields` has the
    columns of each field. `format` is the format of the file.
    """

    __tablename__ = "saved_mapping"

    id: ColumnClause[int] = column(primary_key=True)
    name: ColumnClause[str] = column(unique=True)
    columns_hash: ColumnClause[str] = column(String(64), index=True)
    columns: ColumnClause[list[Any]] = column(JSON)
    format: ColumnClause[str]
    fields: ColumnClause[dict[str, Any]] = column(JSON)
    saved_at: ColumnClause[datetime]
    saved_by: ColumnClause[str | None]
