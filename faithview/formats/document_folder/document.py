"""A document of a folder: its text with its headings."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

_BETWEEN_BLOCKS = "\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading: `[start, end)` of its line in the document's text, its level from 1, and its words."""

    start: int
    end: int
    level: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document. `name` is its path in the folder with "/" between the parts.

    `text` is the file's own text, for HTML the visible text. `front_title` is the title that it has outside its text.
    `plain` returns the document without Markdown's marks; None for other files.
    """

    name: str
    text: str
    headings: tuple[Heading, ...] = ()
    front_title: str | None = None
    plain: "Callable[[], Document] | None" = None

    @property
    def title(self) -> str | None:
        """Its title, else its first heading of level 1; None without either."""
        return self.front_title or next((heading.text for heading in self.headings if heading.level == 1), None)

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
    return Document(name=name, text=_BETWEEN_BLOCKS.join(parts), headings=tuple(headings), front_title=title)
