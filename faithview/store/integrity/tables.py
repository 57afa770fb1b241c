"""All tables of a store, the runs whose texts were deleted, and how rows are named in a problem."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select

from faithview.store.schema.audit import AuditEntryRow
from faithview.store.schema.comparison import KnowledgeBaseRow
from faithview.store.schema.datasets import NamedDatasetRow
from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.live import LoggedAnswerRow
from faithview.store.schema.review import LabelRow
from faithview.store.schema.runs import RunRow
from faithview.store.schema.tables import Base

# Mentioned so that the tables of their modules are among those of `Base`.
_SCHEMAS = (AuditEntryRow, InboxClaimRow, KnowledgeBaseRow, LabelRow, LoggedAnswerRow, NamedDatasetRow)
TABLES = Base.metadata.sorted_tables
ROWS_AT_A_TIME = 2_000
_NAMED_ROWS = 3
# Their claims are in no index, and have no hashes of texts.
EMPTIED = select(RunRow.id).where(RunRow.texts_deleted_at.is_not(None))


def several(count: int) -> str:
    """Return a count in words; no more rows than `ROWS_AT_A_TIME` were asked for."""
    return f"At least {count}" if count == ROWS_AT_A_TIME else str(count)


def named(ids: Iterable[Any]) -> str:
    """Return the first few ids, and how many more there are."""
    shown = [str(one) for one in ids]
    more = len(shown) - _NAMED_ROWS
    return ", ".join(shown[:_NAMED_ROWS]) + (f" and {more} more" if more > 0 else "")
