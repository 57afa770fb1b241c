"""Saved tabs: a page's filters under a name, for every user of the store.

The table began with the tabs of Claims, so a row says which page it is of only where that is another one.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from faithview.domain.audit import Action
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.saved_tab import SavedTab, TabPage
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.inbox import InboxTabRow

_PAGE = "page"


def list_tabs(db: Database, page: TabPage) -> list[SavedTab]:
    """Return the saved tabs of a page, the oldest first."""
    with db.read() as connection:
        rows = connection.execute(select(InboxTabRow.__table__).order_by(InboxTabRow.id)).all()
    return [
        SavedTab(
            tab_id=row.id,
            page=page,
            name=row.name,
            fields={name: value for name, value in row.filters.items() if name != _PAGE},
            created_by=row.created_by,
        )
        for row in rows
        if row.filters.get(_PAGE, TabPage.CLAIMS) == page
    ]


def add_tab(
    db: Database, page: TabPage, name: str, fields: Mapping[str, object], *, created_by: str, at: datetime
) -> SavedTab:
    """Save a tab; raises InvalidInput if another one, of any page, has the name."""
    document = dict(fields) if page is TabPage.CLAIMS else {**fields, _PAGE: page.value}
    values = {"name": name, "filters": document, "created_by": created_by, "created_at": at}
    try:
        with db.write() as connection:
            tab_id = connection.execute(insert(InboxTabRow).returning(InboxTabRow.id), values).scalar_one()
            record(connection, Action.TAB_SAVED, subject=name)
    except IntegrityError:
        raise InvalidInput(
            f"A tab named {name!r} already exists; choose another name or remove that tab first."
        ) from None
    return SavedTab(tab_id=tab_id, page=page, name=name, fields=dict(fields), created_by=created_by)


def delete_tab(db: Database, tab_id: int) -> None:
    """Remove a saved tab; raises NotFound if there is none with that id."""
    with db.write() as connection:
        name = connection.execute(
            delete(InboxTabRow).where(InboxTabRow.id == tab_id).returning(InboxTabRow.name)
        ).scalar()
        if name is None:
            raise NotFound("Another user has already removed this tab.")
        record(connection, Action.TAB_DELETED, subject=name)
