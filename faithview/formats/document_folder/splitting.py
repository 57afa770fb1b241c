"""Splits documents into chunks at their headings, or into paragraphs if an earlier version was split like that."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from faithview.domain.sample import Chunk, Json, free_id
from faithview.formats.document_folder.document import Document, Heading

# Longer sections are split between paragraphs. Retrievers' chunks have 500 to 2,000 characters.
_LONGEST = 2_000
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_NOT_IN_IDS = re.compile(r"[^\w]+")
_LONGEST_SLUG = 60


def split_documents(documents: Sequence[Document], *, split_as: Sequence[Chunk] = ()) -> list[Chunk]:
    """Return the chunks of documents, in the order of the documents.

    Args:
        documents: the documents.
        split_as: the chunks of an earlier version. Of sections and paragraphs, with and without Markdown's marks, those
            are returned that give most of its texts again; a chunk whose text is unchanged keeps its id.

    Returns:
        By default the sections: a heading with the text up to the next heading. A heading without text of its own is
        left out; sections of more than 2,000 characters are split between paragraphs. A chunk's id is made of the
        document's name and the headings above it ("billing/plans.md#plans/yearly"); its metadata are `document`,
        `title` and `heading`, where they exist.
    """
    sections = _split(documents)
    if not split_as:
        return sections
    plain = [document.without_marks() for document in documents]
    ways = (sections, _split(documents, by_paragraph=True), _split(plain), _split(plain, by_paragraph=True))
    ids: dict[str, list[str | None]] = defaultdict(list)
    for earlier in reversed(split_as):
        ids[earlier.chunk_hash].append(earlier.chunk_id)
    best = max(ways, key=lambda chunks: len(ids.keys() & {chunk.chunk_hash for chunk in chunks}))
    kept = [ids[chunk.chunk_hash].pop() if ids[chunk.chunk_hash] else None for chunk in best]
    used = {chunk_id for chunk_id in kept if chunk_id is not None}
    chunks = []
    for chunk, chunk_id in zip(best, kept, strict=True):
        own = chunk_id or free_id(chunk.chunk_id or "", used)
        used.add(own)
        chunks.append(replace(chunk, chunk_id=own))
    return chunks


def _split(documents: Sequence[Document], *, by_paragraph: bool = False) -> list[Chunk]:
    used: dict[str, int] = {}
    chunks = []
    for document in documents:
        for headings, text in _sections(document, with_heading=not by_paragraph):
            path = "/".join(part for heading in headings if (part := _slug(heading.text)))
            for part in _split_paragraphs(text, 0 if by_paragraph else _LONGEST):
                name = f"{document.name}#{path}" if path else document.name
                used[name] = used.get(name, 0) + 1
                chunk_id = name if used[name] == 1 else f"{name}-{used[name]}"
                chunks.append(Chunk(text=part, chunk_id=chunk_id, metadata=_describe(document, headings)))
    return chunks


def _describe(document: Document, headings: tuple[Heading, ...]) -> dict[str, Json]:
    """Return the metadata of a chunk under these headings, the highest first."""
    described: dict[str, Json] = {"document": document.name}
    if document.title:
        described["title"] = document.title
    if headings:
        described["heading"] = " > ".join(heading.text for heading in headings)
    return described


def _split_paragraphs(text: str, longest: int) -> list[str]:
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


def _sections(document: Document, *, with_heading: bool) -> Iterator[tuple[tuple[Heading, ...], str]]:
    found = document.headings
    bounds = [heading.start for heading in found]
    if before := document.text[: bounds[0] if bounds else None].strip():
        yield (), before
    above: list[Heading] = []
    for heading, end in zip(found, [*bounds, len(document.text)][1:], strict=True):
        above = [*(other for other in above if other.level < heading.level), heading]
        if document.text[heading.end : end].strip():
            yield tuple(above), document.text[heading.start if with_heading else heading.end : end].strip()


def _slug(text: str) -> str:
    """Return a heading's words as a part of an id."""
    return _NOT_IN_IDS.sub("-", text.casefold())[:_LONGEST_SLUG].strip("-")
