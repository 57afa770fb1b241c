"""Splits documents as an earlier version of them was split: unchanged passages keep their ids and texts.

The stored chunks are looked up in the new documents. What is between two of them is new text: it belongs to the stored
chunks that are missing there, or becomes new chunks. Any splitter's chunks are found this way, with or without headings
and with overlaps.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath

from faithview.domain.content_hashes import fold
from faithview.domain.knowledge import document_name
from faithview.domain.pairing import CHUNK_FLOOR
from faithview.domain.sample import Chunk, free_id
from faithview.formats.document_folder.document import Document
from faithview.formats.document_folder.splitting import describe, headings_above, slug, split_paragraphs

_WORD = re.compile(r"\w")
_HEADINGS = re.compile(r"(?:\s*#{1,6} .*(?:\n|\Z))+\s*")
_TOKEN = re.compile(r"\S+")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
# How many words identify the start of a chunk in a document.
_ANCHOR = 6
# How many characters of a chunk's start and end are looked up if its text was edited.
_EDGE = 40
# An edited chunk is at most this many times as long as it was.
_MOST_GROWTH = 3
# A paragraph that shares a smaller part of its words with a missing chunk of its document is new.
_ALIKE = 0.3
# Shorter texts must be between spaces to be found: "9." is in "19.", too.
_SHORT = 20
# How many missing chunks in a row are considered.
_MOST_MISSING = 50
# A document with a larger share of text that is not its own stored chunks may have those of other documents.
_NEW = 0.15
# In longer gaps with many missing chunks, texts are not assigned by their words.
_MOST_COMPARED = 100_000


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stored chunk, its place in the file, and its text with single spaces."""

    at: int
    chunk: Chunk
    document: str
    text: str


@dataclass(frozen=True, slots=True)
class _Place:
    """The place `[start, end)` of a stored chunk in a document's folded text; `is_same` if its text is unchanged."""

    start: int
    end: int
    piece: _Piece
    is_same: bool = True


@dataclass
class _File:
    """A document with the stored chunks found in it."""

    document: Document
    places: list[_Place] = field(default_factory=list)
    named: Sequence[_Piece] = ()

    @cached_property
    def text(self) -> str:
        """The text with single spaces."""
        return " ".join(self.document.text.split())

    @property
    def documents(self) -> set[str]:
        """The stored documents whose chunks are in this one."""
        return {piece.document for piece in (*self.named, *(place.piece for place in self.places))}

    @cached_property
    def _tokens(self) -> tuple[list[int], list[int]]:
        raw, folded, at = [], [], 0
        for token in _TOKEN.finditer(self.document.text):
            raw.append(token.start())
            folded.append(at)
            at += token.end() - token.start() + 1
        return raw, folded

    def to_raw(self, at: int) -> int:
        """Return the place in the document's own text of a place in its folded text."""
        raw, folded = self._tokens
        if not raw:
            return 0
        token = bisect_right(folded, at) - 1
        return raw[token] + at - folded[token]


class StoredSplit:
    """Splits documents as the chunks of a stored version were split."""

    def __init__(self, stored: Sequence[Chunk]) -> None:
        self._pieces = [
            _Piece(at, chunk, document_name(chunk.metadata) or "", fold(chunk.text)) for at, chunk in enumerate(stored)
        ]
        self._by_document: dict[str, list[_Piece]] = defaultdict(list)
        for piece in self._pieces:
            if piece.document:
                self._by_document[piece.document].append(piece)
        lengths = sorted(len(piece.chunk.text) for piece in self._pieces)
        self._longest = max(200, lengths[len(lengths) * 9 // 10]) if lengths else 200
        self._has_headings = 3 * sum(piece.chunk.text.startswith("#") for piece in self._pieces) > len(lengths)
        self._found: set[int] = set()
        self._homes: set[str] = set()  # the stored documents that a file has the name of
        self._ids = {chunk.chunk_id for chunk in stored}
        self._numbers: dict[str, int] = {}

    def split(self, documents: Iterable[Document]) -> list[Chunk]:
        """Return the chunks of the documents, in the order of the documents.

        A chunk whose text is in a document keeps its id, text and metadata; an edited one keeps its id and metadata.
        """
        # First the documents that kept their names: a text that several have, such as a footer, is then its own.
        files = [self._open(document) for document in documents]
        for at, file in enumerate(files):
            if self._has_new_text(file):
                files[at] = self._search(file)
        chunks: list[Chunk] = []
        files.reverse()
        while files:  # the last one first: each file's words are forgotten once it is split
            chunks += self._chunks_of(files.pop())
        return chunks

    @property
    def is_found(self) -> bool:
        """Whether any stored chunk is in the documents that were split."""
        return bool(self._found)

    @cached_property
    def _by_name(self) -> dict[str, list[_Piece]]:
        """The chunks of each stored document by its path, and by its file's name if no other has that."""
        found: dict[str, list[_Piece]] = {}
        names: Counter[str] = Counter()
        for name, pieces in self._by_document.items():
            bare = PurePosixPath(name).name.casefold()
            names[bare] += 1
            found[f"/{bare}"] = pieces
        kept = {key: pieces for key, pieces in found.items() if names[key[1:]] == 1}
        return {**kept, **{name.casefold(): pieces for name, pieces in self._by_document.items()}}

    @cached_property
    def _anchors(self) -> dict[str, list[_Piece]]:
        """The chunks by six words near their start; the first word may be a part of one."""
        anchors: dict[str, list[_Piece]] = defaultdict(list)
        for piece in self._pieces:
            words = piece.text.split(" ", _ANCHOR + 1)[1 : _ANCHOR + 1]
            if len(words) == _ANCHOR:
                anchors[" ".join(words)].append(piece)
        return dict(anchors)

    def _open(self, document: Document) -> _File:
        name = document.name.casefold()
        named = self._by_name.get(name) or self._by_name.get(f"/{PurePosixPath(name).name}") or ()
        self._homes.update(piece.document for piece in named[:1])
        file = _File(document, named=named)
        file.places = self._find_in_order(file.text, named)
        if len(file.places) < len(named) and document.plain is not None:
            plain = _File(document.without_marks(), named=named)
            plain.places = self._find_in_order(plain.text, named)
            if len(plain.places) > len(file.places):
                file = plain
        self._found.update(place.piece.at for place in file.places)
        return file

    def _has_new_text(self, file: _File) -> bool:
        covered, end = 0, 0
        for place in file.places:
            covered += max(0, place.end - max(end, place.start))
            end = max(end, place.end)
        return len(file.places) < len(file.named) or covered < (1 - _NEW) * len(file.text)

    def _search(self, file: _File) -> _File:
        """Add the chunks of other documents that are in this one: documents are renamed, joined and split."""
        found = self._find_others(file.text)
        if not file.places and not found and file.document.plain is not None:
            plain = _File(file.document.without_marks(), named=file.named)
            if found := self._find_others(plain.text):
                file = plain
        taken = {(place.start, place.end) for place in file.places}
        for place in found:
            if (place.start, place.end) not in taken:
                taken.add((place.start, place.end))
                file.places.append(place)
                self._found.add(place.piece.at)
        file.places.sort(key=lambda place: (place.start, place.end))
        return file

    def _find_others(self, text: str) -> list[_Place]:
        found: dict[int, _Place] = {}
        for piece in self._anchored(text):
            if piece.at not in self._found and piece.at not in found:
                start = _find_text(text, piece.text)
                if start >= 0:
                    found[piece.at] = _Place(start, start + len(piece.text), piece)
        return [found[at] for at in sorted(found)]

    def _find_in_order(self, text: str, pieces: Sequence[_Piece]) -> list[_Place]:
        places = []
        after = 0
        for piece in pieces:
            start = _find_text(text, piece.text, after)
            if start < 0:
                start = _find_text(text, piece.text)
            if start >= 0:
                after = start
                places.append(_Place(start, start + len(piece.text), piece))
        return sorted(places, key=lambda place: (place.start, place.end))

    def _anchored(self, text: str) -> Iterator[_Piece]:
        words = text.split(" ")
        anchors = self._anchors
        for at in range(len(words) - _ANCHOR + 1):
            yield from anchors.get(" ".join(words[at : at + _ANCHOR]), ())

    def _chunks_of(self, file: _File) -> Iterator[Chunk]:
        places = self._with_edited(file)
        end = 0
        before: _Piece | None = None
        for place in places:
            yield from self._fill(file, end, place.start, self._missing(file, before, place.piece), before, place.piece)
            yield place.piece.chunk if place.is_same else self._edited(file, place)
            end, before = max(end, place.end), place.piece
        yield from self._fill(file, end, len(file.text), self._missing(file, before, None), before, None)

    def _missing(self, file: _File, before: _Piece | None, after: _Piece | None) -> list[_Piece]:
        """Return the stored chunks between two found ones that are in no document, and in no other one's file."""
        if before is None and after is None:
            between: Iterable[_Piece] = file.named
        elif before is not None and after is not None and before.at < after.at:
            between = self._pieces[before.at + 1 : after.at]
        else:
            between = [*self._until_found(after, -1)[::-1], *self._until_found(before, 1)]
        owners = file.documents
        return [
            piece
            for piece in between
            if piece.at not in self._found and (piece.document in owners or piece.document not in self._homes)
        ]

    def _until_found(self, piece: _Piece | None, step: int) -> list[_Piece]:
        """Return the chunks next to a found one, in one direction, up to the next found one."""
        found: list[_Piece] = []
        at = -1 if piece is None else piece.at + step
        while 0 <= at < len(self._pieces) and at not in self._found and len(found) < _MOST_MISSING:
            found.append(self._pieces[at])
            at += step
        return found

    def _with_edited(self, file: _File) -> list[_Place]:
        """Add the chunks whose start and end are still there, between the ones around them."""
        places = list(file.places)
        for before, after in zip([None, *file.places], [*file.places, None], strict=True):
            low = 0 if before is None else before.start
            gap = (0 if before is None else before.end, len(file.text) if after is None else after.start)
            high = len(file.text) if after is None else after.end
            pieces = (None if place is None else place.piece for place in (before, after))
            for piece in self._missing(file, *pieces):
                place = _find_edges(file.text, piece, low, high, gap)
                if place is not None:
                    places.append(place)
                    self._found.add(piece.at)
                    low = place.start + 1
        return sorted(places, key=lambda place: (place.start, place.end))

    def _edited(self, file: _File, place: _Place) -> Chunk:
        text = file.document.text[file.to_raw(place.start) : file.to_raw(place.end - 1) + 1]
        return replace(place.piece.chunk, text=text)

    def _fill(
        self,
        file: _File,
        start: int,
        end: int,
        missing: Sequence[_Piece],
        before: _Piece | None,
        after: _Piece | None,
    ) -> Iterator[Chunk]:
        """Yield the chunks of the text between two stored ones."""
        if not _WORD.search(file.text, start, end):
            return
        first, last = file.to_raw(start), file.to_raw(end - 1) + 1
        if not self._has_headings and _HEADINGS.fullmatch(file.document.text, first, last):
            return  # the most frequent case, without looking for the document's headings
        paragraphs = self._paragraphs(file.document, first, last)
        owners = _assign([file.document.text[a:b] for a, b in paragraphs], missing, file.documents)
        kept: list[tuple[int, int]] = []
        at = 0
        while at < len(paragraphs):
            owner = owners[at]
            if owner is None:
                kept.append(paragraphs[at])
                at += 1
                continue
            stop = max(n for n, other in enumerate(owners) if other is owner) + 1
            yield from self._new(file, kept, before or after)
            kept = []
            self._found.add(owner.at)
            yield replace(owner.chunk, text=file.document.text[paragraphs[at][0] : paragraphs[stop - 1][1]])
            before, at = owner, stop
        yield from self._new(file, kept, before or after)

    def _paragraphs(self, document: Document, start: int, end: int) -> list[tuple[int, int]]:
        """Return the paragraphs in a part of the text; headings are a part of the next one, or left out."""
        ends = [*(found.end() for found in _PARAGRAPH_END.finditer(document.text, start, end)), end]
        headings = {heading.start: heading.end for heading in document.outline.headings}
        found: list[tuple[int, int]] = []
        held: int | None = None
        for stop in ends:
            first, last = _trim(document.text, start, stop)
            start = stop
            while (heading_end := headings.get(first)) is not None and first < last:
                held = first if held is None else held
                first, last = _trim(document.text, heading_end, last)
            if first < last:
                found.append((held if held is not None and self._has_headings else first, last))
                held = None
        return found

    def _new(self, file: _File, paragraphs: Sequence[tuple[int, int]], near: _Piece | None) -> Iterator[Chunk]:
        """Yield new chunks, each of whole paragraphs under one heading and about as long as the stored ones."""
        document = file.document
        first: int | None = None
        for number, (start, end) in enumerate(paragraphs):
            first = start if first is None else first
            following = paragraphs[number + 1] if number + 1 < len(paragraphs) else None
            is_last = following is None or following[1] - first > self._longest
            if is_last or headings_above(document, start) != headings_above(document, following[0] if following else 0):
                for text in split_paragraphs(document.text[first:end], self._longest):
                    yield self._new_chunk(file, first, text, near)
                first = None

    def _new_chunk(self, file: _File, at: int, text: str, near: _Piece | None) -> Chunk:
        document = file.document
        above = headings_above(document, at)
        path = "/".join(filter(None, (slug(heading.text) for heading in above)))
        name = f"{document.name}#{path}" if path else document.name
        described = describe(document, above)
        owners = {place.piece.document for place in file.places}
        if len(owners) == 1 and near is not None and near.document:
            described = {**described, "document": near.document}
        elif len(owners) > 1 and above:
            # The file has several stored documents, so a heading of it is one.
            described = {**described, "document": name, "title": above[-1].text}
        chunk_id = free_id(name, self._ids, self._numbers)
        self._ids.add(chunk_id)
        return Chunk(text=text, chunk_id=chunk_id, metadata=described)


def _find_text(text: str, part: str, start: int = 0) -> int:
    """Return the place of a part, -1 if there is none; a short part is found between spaces only."""
    if not part:
        return -1
    at = text.find(part, start)
    while len(part) < _SHORT and at >= 0:
        end = at + len(part)
        if (at == 0 or text[at - 1] == " ") and (end == len(text) or text[end] == " "):
            break
        at = text.find(part, at + 1)
    return at


def _find_edges(text: str, piece: _Piece, low: int, high: int, gap: tuple[int, int]) -> _Place | None:
    """Return the place of an edited chunk by its start and end.

    One of them is enough if it is in a chunk next to it: chunks that overlap share their edges.
    """
    if len(piece.text) < 2 * _EDGE:
        return None
    start = text.find(piece.text[:_EDGE], low, high)
    end = text.rfind(piece.text[-_EDGE:], max(low, start + 1), high)
    end = end + _EDGE if end >= 0 else -1
    if end < 0 <= start < gap[0]:
        end = gap[1]
    elif start < 0 and end > gap[1]:
        start = gap[0]
    if min(start, end) < 0 or not start < end <= start + _MOST_GROWTH * len(piece.text):
        return None
    return _Place(start, end, piece, is_same=False)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _assign(paragraphs: Sequence[str], missing: Sequence[_Piece], documents: Collection[str]) -> list[_Piece | None]:
    """Return for each paragraph the missing chunk that shares most of its words, in the order of the chunks."""
    if not missing or not paragraphs or len(missing) * len(paragraphs) > _MOST_COMPARED:
        return [None] * len(paragraphs)
    words = [set(_bare(text)) for text in paragraphs]
    stored = [set(_bare(piece.text)) for piece in missing]
    floors = [_ALIKE if piece.document in documents else CHUNK_FLOOR for piece in missing]
    # best[j]: the largest sum so far with the last paragraph at chunk j or before it, and its assignment.
    best: list[tuple[float, tuple[int | None, ...]]] = [(0.0, ())] * len(missing)
    for own in words:
        following: list[tuple[float, tuple[int | None, ...]]] = []
        top: tuple[float, tuple[int | None, ...]] = (-1.0, ())
        for j, others in enumerate(stored):
            share = len(own & others) / min(len(own), len(others)) if own and others else 0.0
            total, path = best[j]
            options = [(total, (*path, None))]
            if share >= floors[j]:
                options.append((total + share, (*path, j)))
            top = max([top, *options], key=lambda option: option[0])
            following.append(top)
        best = following
    return [None if j is None else missing[j] for j in best[-1][1]]


def _bare(text: str) -> Iterator[str]:
    return (word.strip("*_`#>|.,;:!?()[]\"'").casefold() for word in text.split())
