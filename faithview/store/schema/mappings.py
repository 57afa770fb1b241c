"""The table of mappings of columns that people saved to use again; no other table knows of them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ColumnClause, String

from faithview.store.schema.tables import Base, column


class SavedMappingRow(Base):
    """A mapping under its name.

    `columns_hash` is the hash of the set of the file's columns, by which it is found for another file; `fields` has the
    columns of each field. `format` is the format that the file was read as.
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
