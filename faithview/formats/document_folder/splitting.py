"""Splits documents into chunks at their headings."""

import re
from collections.abc import Iterator

from faithview.domain.sample import Chunk, Json
from faithview.formats.document_folder.document import Document, Heading

# Longer sections are split between paragraphs. Retrievers' chunks have 500 to 2,000 characters.
_LONGEST = 2_000
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_NOT_IN_IDS = re.compile(r"[^\w]+")
_LONGEST_SLUG = 60


def split_by_headings(document: Document) -> list[Chunk]:
    """Return a document's sections as chunks: a heading with the text up to the next heading.

    A heading without text of its own is left out; longer sections are split between paragraphs. A chunk's id is made
    of the document's name and the headings above it ("billing/plans.md#plans/yearly"); its metadata are `document`,
    `title` and `heading`, where they exist.
    """
    used: dict[str, int] = {}
    chunks = []
    for headings, text in _sections(document):
        path = "/".join(part for heading in headings if (part := slug(heading.text)))
        for part in split_paragraphs(text):
            name = f"{document.name}#{path}" if path else document.name
            used[name] = used.get(name, 0) + 1
            chunk_id = name if used[name] == 1 else f"{name}-{used[name]}"
            chunks.append(Chunk(text=part, chunk_id=chunk_id, metadata=describe(document, headings)))
    return chunks


def describe(document: Document, headings: tuple[Heading, ...]) -> dict[str, Json]:
    """Return the metadata of a chunk under these headings, the highest first."""
    described: dict[str, Json] = {"document": document.name}
    if document.outline.title:
        described["title"] = document.outline.title
    if headings:
        described["heading"] = " > ".join(heading.text for heading in headings)
    return described


def headings_above(document: Document, at: int) -> tuple[Heading, ...]:
    """Return the headings that a position of the text is under, the highest first."""
    above: list[Heading] = []
    for heading in document.outline.headings:
        if heading.start > at:
            break
        above = [*(other for other in above if other.level < heading.level), heading]
    return tuple(above)


def split_paragraphs(text: str, longest: int = _LONGEST) -> list[str]:
    """Return the text in pieces of whole paragraphs, each as long as possible up to `longest` characters.

    A paragraph that is longer is a piece of its own.
    """
    if len(text) <= longest:
        return [text]
    pieces: list[str] = []
    start = end = 0
    for last in [*(found.end() for found in _PARAGRAPH_END.finditer(text)), len(text)]:
        if last - start > longest and end > start:
            pieces.append(text[start:end].strip())
            start = end
        end = last
    return [*pieces, text[start:].strip()]


def _sections(document: Document) -> Iterator[tuple[tuple[Heading, ...], str]]:
    found = document.outline.headings
    bounds = [heading.start for heading in found]
    if before := document.text[: bounds[0] if bounds else None].strip():
        yield (), before
    above: list[Heading] = []
    for heading, end in zip(found, [*bounds, len(document.text)][1:], strict=True):
        above = [*(other for other in above if other.level < heading.level), heading]
        if document.text[heading.end : end].strip():
            yield tuple(above), document.text[heading.start : end].strip()


def slug(text: str) -> str:
    """Return a heading's words as a part of an id."""
    return _NOT_IN_IDS.sub("-", text.casefold())[:_LONGEST_SLUG].strip("-")
