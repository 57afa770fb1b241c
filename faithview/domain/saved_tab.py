"""What a page lists, saved under a name as a tab of the page."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class TabPage(StrEnum):
    """The pages that have tabs."""

    CLAIMS = "claims"
    ANSWERS = "answers"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedTab:
    """A tab that every user of the store sees; `fields` are the page's filters, as the page reads and writes them."""

    tab_id: int
    page: TabPage
    name: str
    fields: Mapping[str, object]
    created_by: str
