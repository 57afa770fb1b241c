"""Saved mappings: save, find by the columns of a file, and delete."""

from typing import Any

from sqlalchemy import Row, delete, insert, select

from faithview.domain.audit import Action
from faithview.domain.errors import InvalidInput
from faithview.domain.mapping import SavedMapping
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.datasets import SavedMappingRow


def save(db: Database, mapping: SavedMapping) -> bool:
    """Store a mapping, replacing one of the same name for the same columns; return whether there was one.

    Raises:
        InvalidInput: the name is taken by a mapping for other columns.
    """
    named = SavedMappingRow.name == mapping.name
    with db.write() as connection:
        hashes = connection.execute(select(SavedMappingRow.columns_hash).where(named)).scalars().all()
        if any(found != mapping.columns_hash for found in hashes):
            raise InvalidInput(
                f"The name {mapping.name!r} is taken by a mapping for other columns. Choose another name, or delete "
                "that mapping first."
            )
        connection.execute(delete(SavedMappingRow).where(named))
        connection.execute(
            insert(SavedMappingRow),
            {
                "name": mapping.name,
                "columns_hash": mapping.columns_hash,
                "columns": list(mapping.columns),
                "format": mapping.format,
                "fields": {field: list(columns) for field, columns in mapping.fields.items()},
                "saved_at": mapping.saved_at,
                "saved_by": mapping.saved_by,
            },
        )
        record(connection, Action.MAPPING_SAVED, subject=mapping.name)
    return bool(hashes)


def list_all(db: Database, *, columns_hash: str | None = None) -> list[SavedMapping]:
    """Return the saved mappings, the newest first: all of them, or those for a set of columns."""
    query = select(SavedMappingRow.__table__).order_by(SavedMappingRow.saved_at.desc(), SavedMappingRow.id.desc())
    if columns_hash is not None:
        query = query.where(SavedMappingRow.columns_hash == columns_hash)
    with db.read() as connection:
        return [_to_mapping(row) for row in connection.execute(query)]


def remove(db: Database, name: str) -> bool:
    """Delete the mapping of that name and return whether there was one."""
    with db.write() as connection:
        named = dialect.equals(SavedMappingRow.name, name)
        is_removed = connection.execute(delete(SavedMappingRow).where(named)).rowcount > 0
        if is_removed:
            record(connection, Action.MAPPING_DELETED, subject=name)
    return is_removed


def _to_mapping(row: Row[Any]) -> SavedMapping:
    return SavedMapping(
        name=row.name,
        columns=tuple(row.columns),
        format=row.format,
        fields={field: tuple(columns) for field, columns in row.fields.items()},
        saved_at=row.saved_at,
        saved_by=row.saved_by,
    )
