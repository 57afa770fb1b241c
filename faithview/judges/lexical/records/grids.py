"""The chunks of one answer as records: grids of rows and columns, topics, and opening hours."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from faithview.judges.lexical.passages.fields import Field
from faithview.judges.lexical.passages.index import Context, Passage
from faithview.judges.lexical.records.schedule import Schedule, read_schedule
from faithview.judges.text.lexicon import concept_of
from faithview.judges.text.tokens import Word, key_forms, read_vocabulary, tokenize, tokenize_key, word_of
from faithview.judges.text.units import MONEY, UNITS


class Cell(NamedTuple):
    """One cell: the numbers of its row and column, its field, and its passage."""

    row: int
    column: int
    field: Field
    passage: Passage


@dataclass(frozen=True, slots=True)
class Header:
    """The name of a row or a column: its stems, and those of them that no other header has.

    `unit` is the dimension or currency that the header gives to bare numbers under it, "" for none; `size` is the size
    of that unit. `is_price`: the value is an amount of money, with or without a currency.
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
    """Return the grids of an answer's chunks. Single records, one per chunk, form one grid together.

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
# A claim words "max users: 50" as "up to 50 users".
_UNSAID = frozenset({"max", "maximum", "number", "no", "count", "limit", "total"})
_ASIDE = re.compile(r"\([^()]*\)")

# A number with fewer digits occurs too often to identify a row.
_FEWEST_DIGITS = 3


# Records of one kind share their keys from answer to answer.
_CACHED_HEADERS = 4096


def _headers(texts: Sequence[str]) -> list[Header]:
    read = [_words_of(text) for text in texts]
    counts = Counter(stem for stems, _, _ in read for stem in stems)
    headers = []
    for (stems, unit, size), text in zip(read, texts, strict=True):
        # Words in every header ("Basic plan", "Pro plan") do not distinguish them.
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
    """Return the stems that name a header, and the unit and size of the values under it."""
    parts = _header_words(text)
    unit, size = "", 1.0
    sign = _SIGN.search(text)
    if sign is not None:
        unit, size = UNITS.get(sign[0], ("", 1.0))
    elif _ends_in_unit(parts, is_key="_" in text) and "/" not in text:
        unit, size = UNITS[parts[-1].lower]
        parts = parts[:-1]
    outside = _header_words(_ASIDE.sub(" ", text)) or parts
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


def _header_words(text: str) -> list[Word]:
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


Form = frozenset[str]


def _forms(names: Iterable[str]) -> tuple[Form, ...]:
    return tuple(frozenset(word_of(word).stem for word in name.split()) for name in names)


_VOCABULARY = read_vocabulary(__package__, "topics.toml")
_PREFIXES: Sequence[str] = _VOCABULARY["prefixes"]
_HOLDS = frozenset(_VOCABULARY["holds"])
_KEY_FORMS: Mapping[str, tuple[Form, ...]] = {key: _forms(names) for key, names in _VOCABULARY["names"].items()}
_GROUP_FORMS: Mapping[str, tuple[Form, ...]] = {key: _forms(names) for key, names in _VOCABULARY["groups"].items()}
# What is then true and what is not, by key and value.
_VALUE_FORMS: Mapping[str, Mapping[str, Sequence[tuple[tuple[Form, ...], bool]]]] = {
    key: {
        value: [(_forms(names), said == "yes") for said in ("yes", "no") for names in says.get(said, ())]
        for value, says in by_value.items()
    }
    for key, by_value in _VOCABULARY["values"].items()
}


@dataclass(frozen=True, slots=True)
class Topic:
    """A record's statement about one thing: `holds` is None if it is open; `forms` are the ways to name it."""

    forms: tuple[Form, ...]
    holds: bool | None
    passage: Passage


def topics_of(passages: Iterable[Passage]) -> list[Topic]:
    """Return the topics of a record's fields, and of groups of flags as a whole: "parking", if any kind is there."""
    topics: list[Topic] = []
    groups: dict[str, list[Passage]] = {}
    for passage in passages:
        if not passage.path:
            continue
        topics += _of_field(passage)
        if len(passage.path) > 1 and (passage.is_flag or passage.is_unknown) and not _says_no(passage):
            groups.setdefault(passage.path[-2], []).append(passage)
    for key, flags in groups.items():
        forms = _GROUP_FORMS.get(_joined(key))
        if forms is not None:
            topics.append(Topic(forms, *_any_of(flags)))
    return topics


def _says_no(passage: Passage) -> bool:
    return _joined(passage.path[-1]) == f"no{_joined(passage.path[-2])}"


def _any_of(flags: Sequence[Passage]) -> tuple[bool | None, Passage]:
    for flag in flags:
        if flag.is_flag and not flag.is_denied:
            return True, flag
    known = [flag for flag in flags if flag.is_flag]
    return (False, known[0]) if known else (None, flags[0])


def _of_field(passage: Passage) -> Iterator[Topic]:
    key = _joined(passage.path[-1])
    parent = _joined(passage.path[-2]) if len(passage.path) > 1 else ""
    by_value = _VALUE_FORMS.get(key)
    value = _value_of(passage)
    if by_value is not None and value and not passage.is_unknown:
        yield from (Topic(forms, holds, passage) for forms, holds in by_value.get(value, ()))
        return
    if not (passage.is_flag or passage.is_unknown):
        return
    holds = None if passage.is_unknown else not passage.is_denied
    if parent and _says_no(passage):  # "no_music" in the group "Music" says it of the group
        if holds is not None and parent in _GROUP_FORMS:
            yield Topic(_GROUP_FORMS[parent], not holds, passage)
        return
    known = _KEY_FORMS.get(f"{parent}.{key}") or _KEY_FORMS.get(key)
    # "cache": {"enabled": false} says it of the cache.
    own_forms = key_forms(passage.path[-2], 0, len(passage.path[-2])) if parent and key in _HOLDS else passage.key_forms
    forms = known or tuple(_plain_forms(own_forms))
    if forms:
        yield Topic(forms, holds, passage)
    if passage.is_unknown and key in _GROUP_FORMS:
        yield Topic(_GROUP_FORMS[key], None, passage)


def _plain_forms(forms: Iterable[Form]) -> Iterator[Form]:
    """Return forms without the plain words in them ("good for kids" is named by "kids"), where others are left."""
    for form in forms:
        telling = frozenset(stem for stem in form if word_of(stem).is_content)
        if telling:
            yield telling


def value_words(passage: Passage) -> list[str]:
    """Return the words of a field's value; of a passage that is not a field, all its words."""
    start = passage.start + len(passage.path[-1]) + 1 if passage.path else passage.start
    return [token.word.lower for token in passage.tokens if token.start >= start]


def _value_of(passage: Passage) -> str:
    """Return a field's value in one piece: of a price range its number, of `"full_bar"` the two words joined."""
    return "".join(value_words(passage)).removesuffix(".0")


def _joined(key: str) -> str:
    lower = "".join(character for character in key.lower() if character.isalnum())
    for prefix in _PREFIXES:
        if lower.startswith(prefix) and len(lower) > len(prefix):
            return lower.removeprefix(prefix)
    return lower


class RecordView:
    """The records among the chunks of one answer; each part is worked out when it is first asked for."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @cached_property
    def grids(self) -> list[Grid]:
        """The tables and records by rows and columns."""
        return grids_of(self.context.passages, self.context.texts)

    @cached_property
    def names(self) -> dict[int, frozenset[str]]:
        """For each chunk that is a record, the stems that distinguish its name from other records'; else empty."""
        names: dict[int, frozenset[str]] = {}
        for passage in self.context.passages:
            field = passage.field
            if field is None or not field.keys or field.group >= 0:
                continue
            words = tokenize(self.context.texts[passage.chunk], *field.subject) if field.subject is not None else []
            names[passage.chunk] = names.get(passage.chunk) or frozenset(
                token.word.stem for token in words if token.word.is_content
            )
        counts = Counter(stem for name in names.values() for stem in name)
        return {chunk: frozenset(s for s in name if counts[s] == 1) for chunk, name in names.items()}

    @cached_property
    def topics(self) -> list[Topic]:
        """The subjects of the records' fields."""
        return topics_of(self.context.passages)

    @cached_property
    def schedule(self) -> Schedule | None:
        """The opening hours in the records; None if there are none, or several that differ."""
        return read_schedule(self.context.passages, self.context.texts) if self.context.is_record else None
