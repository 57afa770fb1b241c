"""Filters of the inbox that were saved under a name."""

from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from faithview.domain.audit import Action
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.inbox import Facet, InboxFilter, InboxTab, make_filter
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.schema.inbox import InboxTabRow


def list_tabs(db: Database) -> list[InboxTab]:
    """Return the saved filters, the oldest first."""
    with db.read() as connection:
        rows = connection.execute(select(InboxTabRow.__table__).order_by(InboxTabRow.id)).all()
    return [
        InboxTab(tab_id=row.id, name=row.name, filters=_to_filter(row.filters), created_by=row.created_by)
        for row in rows
    ]


def add_tab(db: Database, name: str, filters: InboxFilter, *, created_by: str, at: datetime) -> InboxTab:
    """Save a filter under a name; raises InvalidInput if another filter has it."""
    document = {"words": filters.words, **{facet.value: list(values) for facet, values in filters.chosen.items()}}
    values = {"name": name, "filters": document, "created_by": created_by, "created_at": at}
    try:
        with db.write() as connection:
            tab_id = connection.execute(insert(InboxTabRow).returning(InboxTabRow.id), values).scalar_one()
            record(connection, Action.TAB_SAVED, subject=name)
    except IntegrityError:
        raise InvalidInput(f"There is a tab {name!r} already; choose another name, or remove that one first.") from None
    return InboxTab(tab_id=tab_id, name=name, filters=filters, created_by=created_by)


def delete_tab(db: Database, tab_id: int) -> None:
    """Remove a saved filter; raises NotFound if there is none with that id."""
    with db.write() as connection:
        name = connection.execute(
            delete(InboxTabRow).where(InboxTabRow.id == tab_id).returning(InboxTabRow.name)
        ).scalar()
        if name is None:
            raise NotFound("This tab is gone already; somebody else has removed it.")
        record(connection, Action.TAB_DELETED, subject=name)


def _to_filter(document: dict[str, object]) -> InboxFilter:
    chosen = {
        facet: [str(value) for value in values] for facet in Facet if isinstance(values := document.get(facet), list)
    }
    return make_filter(str(document.get("words", "")), chosen)
