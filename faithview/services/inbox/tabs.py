"""Filters of the inbox that are saved as tabs, for everybody who uses the store."""

from datetime import UTC, datetime

from faithview.domain.errors import InvalidInput
from faithview.domain.inbox import InboxFilter, InboxTab
from faithview.domain.sample import find_unstorable
from faithview.services.container import Services
from faithview.services.review.labels import clean_reviewer
from faithview.store.inbox import tabs

MAX_NAME = 60
_MOST_TABS = 20


def list_tabs(services: Services) -> list[InboxTab]:
    """Return the saved filters, the oldest first."""
    return tabs.list_tabs(services.db)


def save_tab(services: Services, name: str, filters: InboxFilter, *, created_by: str) -> InboxTab:
    """Save a filter as a tab.

    Raises:
        InvalidInput: the name cannot be used or is taken, the filter lets everything through that the inbox shows
            anyway, or there are 20 tabs.
    """
    line = " ".join(name.split())
    if not line or len(line) > MAX_NAME or find_unstorable(line) is not None:
        raise InvalidInput(f"A tab's name needs 1 to {MAX_NAME} characters, not {len(line)}.")
    if filters == InboxFilter():
        raise InvalidInput("Nothing is filtered. Choose a filter or words first, then save them as a tab.")
    if len(list_tabs(services)) >= _MOST_TABS:
        raise InvalidInput(f"There are {_MOST_TABS} tabs. Remove one before you save another.")
    return tabs.add_tab(services.db, line, filters, created_by=clean_reviewer(created_by), at=datetime.now(UTC))


def delete_tab(services: Services, tab_id: int) -> None:
    """Remove a tab; raises NotFound if somebody else has removed it."""
    tabs.delete_tab(services.db, tab_id)
