"""A knowledge base: the chunks that can be retrieved, by version, and the changes between two versions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from faithview.domain.comparison import ChunkChange
from faithview.domain.pairing import ChunkFacts
from faithview.domain.sample import Json

# Metadata that name a chunk's document, in the order in which they are tried.
_DOCUMENT = ("document", "document_id", "doc_id", "article_id", "source", "file", "url", "title")
_TITLE = ("title", "name", "heading")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeBase:
    """One version as it was uploaded; `source` is the file's name and `chunks` how many there are."""

    version: str
    source: str | None
    created_at: datetime
    chunks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage(ChunkFacts):
    """One chunk of a version, or one that a run retrieved; `rank` is its position there, from 1.

    `text_id` is the id of its text. `document` and `title` are taken from its metadata, None if these have none.
    """

    text_id: int
    document: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageChange:
    """A passage that was added (`before` is None), removed (`after` is None) or edited."""

    kind: ChunkChange
    before: Passage | None = None
    after: Passage | None = None

    @property
    def passage(self) -> Passage:
        """The passage as it is now, or as it was before it was removed."""
        passage = self.after or self.before
        if passage is None:
            raise ValueError("A passage change needs the passage on at least one side.")
        return passage


class DocumentChangeKind(StrEnum):
    """How a document changed."""

    ADDED = "added"
    EDITED = "edited"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentChange:
    """A document that differs between two versions.

    `name` is the name in its chunks' metadata, else its only chunk's own id, else the first words of its text; in the
    last case `is_named` is False. `passages` are those that changed, in the order of the newer version, removed ones
    last; `unchanged` counts the others.
    """

    name: str
    is_named: bool
    title: str | None
    kind: DocumentChangeKind
    passages: tuple[PassageChange, ...]
    unchanged: int

    @property
    def key(self) -> str:
        """Its id in addresses: the name, or the id of its first text if it has no name."""
        if self.is_named:
            return self.name
        return f"text-{self.passages[0].passage.text_id}"


def document_name(metadata: Mapping[str, Json]) -> str | None:
    """Return the document that a chunk's metadata name; None if they name none."""
    return next((str(metadata[name]) for name in _DOCUMENT if metadata.get(name)), None)


def document_title(metadata: Mapping[str, Json]) -> str | None:
    """Return the title that a chunk's metadata give; None if they give none."""
    return next((str(metadata[name]) for name in _TITLE if metadata.get(name)), None)
