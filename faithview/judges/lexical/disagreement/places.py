"""Where the statements of a passage are: sentences, elements of lists, cells of tables, and headings with a number."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from faithview.judges.lexical.passages.fields import find_records
from faithview.judges.text.sentences import Range, split_sentences_quickly

_HEADING = re.compile(
    r"[ \t]*(?:(?P<level>#{1,6})[ \t]+(?P<marked>[^\n]+?)[ \t#]*"
    r"|(?:\d+\.[ \t]*)?\*\*(?P<bold>[^*\n]+)\*\*(?P<rest>[^\n]*))\s*\Z"
)
_BOLD_LEVEL = 7
_ITEM = re.compile(r"[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+")
_TABLE_ROW = re.compile(r"[ \t]*\|")
_FENCE = re.compile(r"[ \t]*```")
_CODE = re.compile(r'[ \t]*(?:[{}\[\]]|"[^"\n]*"[ \t]*:)')

# A longer line is no heading.
_LONGEST_HEADING = 400

# A heading with fewer words states nothing.
_FEWEST_IN_HEADING = 5

# A larger table is data and no text.
_MOST_CELLS = 200


class Place(NamedTuple):
    """Where a statement is in its passage, and what is said around it.

    `ranges` are the pieces of text that it consists of: one for a sentence; the column's header, the row's header and
    the cell for a cell of a table. `headings` are the headings above it, and `lead` is the sentence before it in its
    paragraph, an empty range if there is none.
    """

    ranges: tuple[Range, ...]
    headings: tuple[Range, ...]
    lead: Range = (0, 0)
    is_item: bool = False
    is_heading: bool = False
    is_cell: bool = False


def find_places(text: str) -> Iterator[Place]:
    """Yield the statements of a passage: headings with a number, sentences, elements of lists, cells with a value."""
    reader = _Reader(text)
    at = 0
    for line in text.splitlines(keepends=True):
        yield from reader.read(line, at)
        at += len(line)
    yield from _find_cells(text, reader.first_headings)


class _Reader:
    """Reads a passage line by line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._headings: list[tuple[int, Range]] = []
        self._lead: Range = (0, 0)
        self._is_code = False
        self.first_headings: tuple[Range, ...] = ()

    def read(self, line: str, start: int) -> Iterator[Place]:
        if _FENCE.match(line):
            self._is_code = not self._is_code
            return
        if not line.strip():
            self._lead = (0, 0)
        if self._is_code or not line.strip() or _TABLE_ROW.match(line) or _CODE.match(line):
            return
        heading = _HEADING.match(line) if len(line) <= _LONGEST_HEADING else None
        if heading is not None:
            yield from self._open(heading, start)
            yield from self._sentences(start + heading.start("rest"), start + len(line) if heading["bold"] else 0)
            return
        item = _ITEM.match(line)
        yield from self._sentences(start + (item.end() if item else 0), start + len(line), is_item=item is not None)

    def _open(self, heading: re.Match[str], start: int) -> Iterator[Place]:
        name = "marked" if heading["level"] else "bold"
        level = len(heading["level"]) if heading["level"] else _BOLD_LEVEL
        place = start + heading.start(name), start + heading.end(name)
        self._headings = [one for one in self._headings if one[0] < level]
        written = heading[name]
        if len(written.split()) >= _FEWEST_IN_HEADING and any(map(str.isdigit, written)):
            yield Place((place,), tuple(place for _, place in self._headings), is_heading=True)
        self._headings.append((level, place))
        self.first_headings = self.first_headings or (place,)
        self._lead = (0, 0)

    def _sentences(self, start: int, end: int, *, is_item: bool = False) -> Iterator[Place]:
        headings = tuple(place for _, place in self._headings)
        self._lead = (0, 0) if is_item else self._lead
        for place in split_sentences_quickly(self._text, start, end) if start < end else ():
            yield Place((place,), headings, self._lead, is_item)
            self._lead = place


def _find_cells(text: str, headings: tuple[Range, ...]) -> Iterator[Place]:
    if "|" not in text:
        return
    cells = [
        (field, cell)
        for field in find_records(text)
        for cell in field.cells
        if any(map(str.isdigit, text[cell.start : cell.end]))
    ]
    for field, cell in cells[:_MOST_CELLS]:
        if cell.keys and field.subject is not None:
            yield Place((cell.keys[-1], field.subject, (cell.start, cell.end)), headings, is_cell=True)
