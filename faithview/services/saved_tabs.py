"""Saved tabs of the pages Claims and Answers."""

from collections.abc import Mapping
from datetime import UTC, datetime

from faithview.domain.errors import InvalidInput
from faithview.domain.sample import find_unstorable
from faithview.domain.saved_tab import SavedTab, TabPage
from faithview.services.container import Store
from faithview.services.review.labels import clean_reviewer
from faithview.store import saved_tabs

MAX_NAME = 60
_MOST_TABS = 20


def save_tab(store: Store, page: TabPage, name: str, fields: Mapping[str, object], *, created_by: str) -> SavedTab:
    """Save a page's filters as a tab.

    Raises:
        InvalidInput: the name is not valid or is taken, nothing is filtered, or the page has 20 tabs.
    """
    line = " ".join(name.split())
    if not line or len(line) > MAX_NAME or find_unstorable(line) is not None:
        raise InvalidInput(f"A tab's name needs 1 to {MAX_NAME} characters, not {len(line)}.")
    if not any(fields.values()):
        raise InvalidInput("Nothing is filtered. Choose a filter or words first, then save them as a tab.")
    if len(saved_tabs.list_tabs(store.db, page)) >= _MOST_TABS:
        raise InvalidInput(f"There are {_MOST_TABS} tabs. Remove one before you save another.")
    return saved_tabs.add_tab(store.db, page, line, fields, created_by=clean_reviewer(created_by), at=datetime.now(UTC))


def delete_tab(store: Store, tab_id: int) -> None:
    """Remove a tab; raises NotFound if another user has removed it."""
    saved_tabs.delete_tab(store.db, tab_id)
