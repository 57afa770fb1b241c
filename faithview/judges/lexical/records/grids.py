"""What a chunk tells of several things alike, as a grid: rows and columns by their headers, and the cells between.

Tables, lists of objects and single records are all read so; a single record is a grid with one row.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from faithview.judges.lexical.retrieval.passage import Passage
from faithview.judges.lexical.structure.field import Field
from faithview.judges.text.lexicon import concept_of
from faithview.judges.text.tokens import Word, tokenize, tokenize_key, word_of
from faithview.judges.text.units import MONEY, UNITS


class Cell(NamedTuple):
    """One cell: the numbers of its row and column, its field, and the passage that it stands in."""

    row: int
    column: int
    field: Field
    passage: Passage


@dataclass(frozen=True, slots=True)
class Header:
    """What names a row or a column: the stems that all are said, and those of them that no other header has.

    `unit` is the dimension or currency that the header gives to bare numbers under it, "" for none; `size` is the size
    of that unit. `is_price`: what stands there is an amount of money, be its currency told or not.
    """

    stems: frozenset[str]
    unique: frozenset[str]
    unit: str
    size: float
    is_price: bool


@dataclass(slots=True)
class Grid:
    """Rows and columns with the cells between them."""

    rows: list[Header] = field(default_factory=list)
    columns: list[Header] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)


def grids_of(passages: Iterable[Passage], texts: Sequence[str]) -> list[Grid]:
    """Return the grids of an answer's chunks. Records that stand alone, one to a chunk, make one grid together.

    Several things without names, reviews say, are left out: no claim can tell which it is about.
    """
    drafts: dict[tuple[int, int], _Draft] = {}
    for passage in passages:
        place = passage.field
        if place is None or not place.keys:
            continue
        chunk = passage.chunk
        key = (chunk, place.group) if place.group >= 0 else (-1, -1)
        draft = drafts.setdefault(key, _Draft())
        for cell in place.cells or (place,):
            draft.add(cell, passage, texts[chunk])
    return [draft.grid() for draft in drafts.values() if len(draft.rows) == 1 or any(draft.rows.values())]


class _Draft:
    """A grid that is being gathered: its headers as they are written."""

    def __init__(self) -> None:
        self.rows: dict[tuple[int, int], str] = {}
        self.columns: dict[str, int] = {}
        self.cells: list[Cell] = []

    def add(self, place: Field, passage: Passage, text: str) -> None:
        row = (passage.chunk, place.element)
        self.rows.setdefault(row, "")
        if place.subject is not None:
            self.rows[row] = text[slice(*place.subject)]
        # A cell's keys are its row's and its column's; those of an object in a record lead to it.
        keys = place.keys[-1:] if passage.field is not place else place.keys
        header = " ".join(text[start:end] for start, end in keys)
        column = self.columns.setdefault(header, len(self.columns))
        self.cells.append(Cell(-1, column, place, passage))

    def grid(self) -> Grid:
        numbers = {row: number for number, row in enumerate(self.rows)}
        cells = [cell._replace(row=numbers[cell.passage.chunk, cell.field.element]) for cell in self.cells]
        return Grid(rows=_headers(list(self.rows.values())), columns=_headers(list(self.columns)), cells=cells)


_PRICE = "price"

# "18 min" of an age is its minimum, "m" is millions as well, and "in" is a preposition.
_NO_UNITS = frozenset({"min", "mins", "m", "in", "c", "f", "l"})
_SIGN = re.compile(r"[$€£¥₹%]")
_PER = frozenset({"per", "a", "an", "each", "every"})
# "Max users" is said as "up to 50 users".
_UNSAID = frozenset({"max", "maximum", "number", "no", "count", "limit", "total"})
_ASIDE = re.compile(r"\([^()]*\)")

# A number of fewer digits stands in too many places to name a row.
_FEWEST_DIGITS = 3


# Records of one kind share their keys from answer to answer.
_CACHED_HEADERS = 4096


def _headers(texts: Sequence[str]) -> list[Header]:
    read = [_words_of(text) for text in texts]
    counts = Counter(stem for stems, _, _ in read for stem in stems)
    headers = []
    for (stems, unit, size), text in zip(read, texts, strict=True):
        # What every header has ("Basic plan", "Pro plan") tells none from another.
        telling = frozenset(stem for stem in stems if counts[stem] < len(texts)) if len(texts) > 1 else stems
        names = telling or stems
        headers.append(
            Header(
                stems=names,
                unique=frozenset(stem for stem in names if counts[stem] == 1),
                unit=unit,
                size=size,
                is_price=_PRICE in stems or unit in MONEY or _SIGN.search(text.replace("%", "")) is not None,
            )
        )
    return headers


@lru_cache(maxsize=_CACHED_HEADERS)
def _words_of(text: str) -> tuple[frozenset[str], str, float]:
    """Return the stems that name a header, and the unit of what stands under it with its size."""
    parts = _parts(text)
    unit, size = "", 1.0
    sign = _SIGN.search(text)
    if sign is not None:
        unit, size = UNITS.get(sign[0], ("", 1.0))
    elif _ends_in_unit(parts, is_key="_" in text) and "/" not in text:
        unit, size = UNITS[parts[-1].lower]
        parts = parts[:-1]
    outside = _parts(_ASIDE.sub(" ", text)) or parts
    outside = [word for word in outside if word.lower not in _UNSAID] or outside
    lowers = {word.lower for word in parts}
    telling = [word for word in outside if word.lower in lowers and (word.is_content or _is_long_number(word))]
    has_letters = any(word.is_content for word in telling)
    numbers = [word for word in outside if word.is_number] if has_letters else []
    return frozenset(concept_of(word.stem) for word in (*telling, *numbers)), unit, size


# "Full day" is a name and "length_day" a number of days.
_THINGS = frozenset(
    {"day", "hour", "week", "month", "year", "minute", "second", "pound", "cup", "cent", "foot", "mile"}
)


def _ends_in_unit(parts: Sequence[Word], *, is_key: bool) -> bool:
    if len(parts) < _FEWEST_WORDS_WITH_UNIT or (not is_key and parts[-1].lower in _THINGS):
        return False
    last = parts[-1].lower
    return last in UNITS and last not in _NO_UNITS and parts[-2].lower not in _PER


_FEWEST_WORDS_WITH_UNIT = 2


def _is_long_number(word: Word) -> bool:
    return word.is_number and len(word.lower) >= _FEWEST_DIGITS


def _parts(text: str) -> list[Word]:
    """Return the words of a header: keys are split where their case changes, codes ("VX402") stay whole."""
    words: list[Word] = []
    for token in tokenize(text):
        if token.word.is_number or not token.word.lower.isalpha():
            words.append(word_of(token.word.lower))
            continue
        at = token.start
        for part in tokenize_key(text, token.start, token.end):
            if part.start < at:
                break  # the parts come first, then what they make together
            words.append(part.word)
            at = part.end
    return words
