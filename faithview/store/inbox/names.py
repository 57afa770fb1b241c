"""The names of segments and documents that claims of the inbox have, each stored once."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, select

from faithview.store import dialect
from faithview.store.schema.inbox import InboxClaimRow, InboxNameRow


def name_ids(connection: Connection, names: Iterable[str | None]) -> Mapping[str | None, int | None]:
    """Return the ids of names, storing those that are new; that of no name is None."""
    ids: dict[str | None, int | None] = {None: None}
    # In one order, so that two writers on PostgreSQL wait for each other and not in a circle.
    for batch in dialect.batches(sorted({name for name in names if name is not None})):
        ids |= _find(connection, batch)
        new = [{"name": name} for name in batch if name not in ids]
        if new:
            ignore = dialect.insert_ignore(connection.dialect.name)
            connection.execute(ignore(InboxNameRow.__table__, ["name"]), new)
            ids |= _find(connection, batch)
    return ids


def load_names(connection: Connection, ids: Collection[int | None]) -> dict[int | None, str | None]:
    """Return the names by their ids; None has none."""
    names: dict[int | None, str | None] = {None: None}
    for batch in dialect.batches(sorted({one for one in ids if one is not None})):
        query = select(InboxNameRow.id, InboxNameRow.name).where(InboxNameRow.id.in_(batch))
        names |= {row.id: row.name for row in connection.execute(query)}
    return names


def is_named(column: Any, names: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that a column of ids has one of these names."""
    condition: ColumnElement[bool] = column.in_(select(InboxNameRow.id).where(InboxNameRow.name.in_(names)))
    return condition


def remove_unused_names(connection: Connection) -> None:
    """Remove the names that no claim has any more, after claims were deleted."""
    of_documents = exists().where(InboxClaimRow.document_id == InboxNameRow.id)
    of_segments = select(InboxClaimRow.segment_id).where(InboxClaimRow.segment_id.is_not(None)).distinct()
    connection.execute(delete(InboxNameRow).where(~of_documents, InboxNameRow.id.not_in(of_segments)))


def _find(connection: Connection, names: Collection[str]) -> dict[str | None, int | None]:
    query = select(InboxNameRow.name, InboxNameRow.id).where(InboxNameRow.name.in_(names))
    return {row.name: row.id for row in connection.execute(query)}
