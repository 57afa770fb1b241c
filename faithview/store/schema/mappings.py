"""The table of mappings of columns that people saved to use again; no other table knows of them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, String
from sqlalchemy.orm import Mapped, mapped_column

from faithview.store.schema.runs import Base


class SavedMappingRow(Base):
    """A mapping under its name.

    `columns_hash` is the hash of the set of the file's columns, by which it is found for another file; `fields` has the
    columns of each field. `format` is the format that the file was read as.
    """

    __tablename__ = "saved_mapping"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    columns_hash: Mapped[str] = mapped_column(String(64), index=True)
    columns: Mapped[list[Any]] = mapped_column(JSON)
    format: Mapped[str]
    fields: Mapped[dict[str, Any]] = mapped_column(JSON)
    saved_at: Mapped[datetime]
    saved_by: Mapped[str | None]
