"""A document of a folder: its text with its headings."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

_BETWEEN_BLOCKS = "\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading: `[start, end)` of its line in the document's text, its level from 1, and its words."""

    start: int
    end: int
    level: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A document's title, None if it has none, and its headings in order."""

    title: str | None
    headings: tuple[Heading, ...]


@dataclass(frozen=True, kw_only=True)
class Document:
    """A document. `name` is its path in the folder with "/" between the parts.

    `text` is the file's own text, for HTML the visible text. The outline is found when it is first needed, because most
    documents of a new version are unchanged. `plain` returns the text without Markdown's marks; None for other files.
    """

    name: str
    text: str
    find_outline: Callable[[], Outline]
    plain: "Callable[[], Document] | None" = None

    @cached_property
    def outline(self) -> Outline:
        """The title and the headings."""
        return self.find_outline()

    def without_marks(self) -> "Document":
        """Return the document as a reader sees it; Markdown is rendered at each call."""
        return self if self.plain is None else self.plain()


def build_document(name: str, title: str | None, blocks: Iterable[tuple[int, str]]) -> Document:
    """Return a document made of blocks: each a heading's level and its text, level 0 for other text."""
    parts: list[str] = []
    headings = []
    at = 0
    for level, text in blocks:
        if level:
            headings.append(Heading(start=at, end=at + len(text), level=level, text=text))
        parts.append(text)
        at += len(text) + len(_BETWEEN_BLOCKS)
    outline = build_outline(title, headings)
    return Document(name=name, text=_BETWEEN_BLOCKS.join(parts), find_outline=lambda: outline)


def build_outline(title: str | None, headings: Sequence[Heading]) -> Outline:
    """Return the outline; the title is the given one, else the first heading of level 1."""
    found = title or next((heading.text for heading in headings if heading.level == 1), None)
    return Outline(title=found, headings=tuple(headings))
