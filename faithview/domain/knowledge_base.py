"""A knowledge base: the chunks that could have been retrieved, by version."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeBase:
    """One version as it was uploaded; `source` is the file's name and `chunks` how many there are."""

    version: str
    source: str | None
    created_at: datetime
    chunks: int
