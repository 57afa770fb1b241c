"""Guesses the meaning of columns with unknown names from the form of their cells, and finds names that compete."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import TypeAlias

from faithview.domain.mapping import Field
from faithview.formats.files.aliases import find_columns
from faithview.formats.files.tables import RawRow
from faithview.formats.rows.cells import BadCell, as_text, column_of, is_missing
from faithview.formats.rows.chunk_rows import holds_answer
from faithview.formats.rows.contexts import AS_JSON, ContextReader
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.timestamps import needs_date_order, parse_timestamp

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[-+]?[\d.,]+ ?%?")
# The median number of words of an answer or a chunk, at least.
_PROSE_WORDS = 6
_MIN_PASSAGE_WORDS = 4
_MOST = 0.8
_HALF = 0.5
_CLEARLY_LONGER = 1.5  # of two texts, the one with the chunks
_REQUIRED: tuple[Field, ...] = ("contexts", "answer")
# Each column is used once, so the answer is the only text beside the question.
_GUESSED: tuple[Field, ...] = ("question", "timestamp", "answer", "contexts")
# The kinds of texts: an answer may end with a question mark, too, where the question is known.
_TEXTS = ("answer", "question")
# The cells of a column that have a value.
_Cells: TypeAlias = Sequence[object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnGuess:
    """The mapping with the guessed columns in it.

    `guessed` has the reason for each guessed column, as the end of a sentence ("by its content"). `competing` lists the
    candidates for each field that is left open.
    """

    mapping: ColumnMapping
    guessed: Mapping[str, str] = field(default_factory=dict)
    competing: Mapping[Field, tuple[str, ...]] = field(default_factory=dict)


def guess_columns(
    columns: Sequence[str],
    head: Sequence[RawRow],
    mapping: ColumnMapping,
    *,
    by_tool: bool = False,
    answered: Collection[str] = (),
) -> ColumnGuess:
    """Return the mapping with guesses for the question, the answer, the chunks and the time if it leaves them open.

    A column is guessed if only its cells fit the field; if those of several fit, they compete. Of two texts beside the
    question, a clearly longer one has the chunks. A time that was mapped
    only by its name is removed if its cells are not times. If names of tools fit several columns whose cells fit too,
    these compete.

    Args:
        columns: the table's columns.
        head: its first rows.
        mapping: the mapping known from the names, or from the tool that wrote the file.
        by_tool: whether the file is known to be a tool's: then its answer and chunks are where the tool puts them, or
            nowhere, and are not guessed.
        answered: the fields for which the user named a column, or said that there is none; they are not changed.
    """
    cells = {c: [cell for row in head if not is_missing(cell := row.values.get(c))] for c in columns}
    kinds = {column: _kind(cells[column]) for column in columns}
    words = {column: _words_of(cells[column]) for column in columns}
    competing: dict[Field, tuple[str, ...]] = {}
    guessed: dict[str, str] = {}
    if not by_tool:
        times = cells.get(mapping.timestamp or "", ())
        if times and "timestamp" not in answered and _share(times, _is_time) < _MOST:
            mapping = replace(mapping, timestamp=None)
        prose = [column for column in columns if kinds[column] in _TEXTS and words[column] >= _PROSE_WORDS]
        passages = [column for column in columns if kinds[column] == "contexts"]
        fitting: dict[Field, list[str]] = {"answer": prose, "contexts": [*prose, *passages]}
        asked = [name for name in _REQUIRED if name not in answered]
        competing = {name: rivals for name in asked if (rivals := _rivals(name, columns, mapping, fitting[name]))}
        mapping = mapping.override(dict.fromkeys(competing, ()))
    for name in _GUESSED:
        is_known = bool(getattr(mapping, name)) or (name == "answer" and mapping.claim is not None)
        if is_known or name in (*competing, *answered) or (by_tool and name in _REQUIRED):
            continue
        taken = {*_used(mapping, columns), *(column for rivals in competing.values() for column in rivals)}
        wanted = _TEXTS if name == "answer" else (name,)
        likely = tuple(column for column in columns if column not in taken and kinds[column] in wanted)
        if name == "contexts":
            likely = tuple(column for column in likely if not holds_answer(column, mapping, head))
        if name == "answer" and len(likely) == 2 and not mapping.contexts and "contexts" not in (*competing, *answered):
            shorter, longer = sorted(likely, key=lambda column: words[column])
            if words[longer] >= _CLEARLY_LONGER * words[shorter]:
                mapping = mapping.override({"contexts": (longer,)})
                guessed[longer], likely = "by its length", (shorter,)
        if len(likely) > 1:
            competing[name] = likely
        elif likely:
            mapping = mapping.override({name: likely})
            guessed[likely[0]] = "by its content"
    return ColumnGuess(mapping=mapping, guessed=guessed, competing=competing)


def _rivals(name: Field, columns: Sequence[str], mapping: ColumnMapping, fitting: Collection[str]) -> tuple[str, ...]:
    """Return the column of a field with those that compete with it, by their names and their cells."""
    used = mapping.contexts if name == "contexts" else tuple(column for column in (mapping.answer,) if column)
    left = [column for column in find_columns(name, columns) if column not in _used(mapping, columns)]
    others = [column for column in left if column in fitting]
    return (*used, *others) if len(used) == 1 and others else ()


def _used(mapping: ColumnMapping, columns: Sequence[str]) -> set[str | None]:
    """Return the columns that are mapped, or that a path leads into."""
    return {column_of(name, columns) for name in mapping.columns}


def _kind(cells: _Cells) -> Field | None:
    """Return the field that a column's cells fit; a sentence fits the answer."""
    # Numbers can be seconds since 1970, but also ids: only a name identifies those.
    if _share(cells, lambda cell: not _is_number(cell) and _is_time(cell)) >= _MOST:
        return "timestamp"
    if _share(cells, _is_list_of_passages) >= _HALF:
        return "contexts"
    is_odd = _share(cells, lambda cell: _is_number(cell) or _is_time(cell) or _is_list_of_passages(cell)) > 1 - _MOST
    if is_odd or _share(cells, lambda cell: len(_as_line(cell).split()) > 1) < _HALF:
        return None
    return "question" if _share(cells, lambda cell: _as_line(cell).endswith("?")) >= _HALF else "answer"


def _words_of(cells: _Cells) -> float:
    """Return the median number of words."""
    return median(len(_WORD.findall(_as_line(cell))) for cell in cells) if cells else 0.0


def _share(cells: _Cells, is_one: Callable[[object], bool]) -> float:
    return sum(map(is_one, cells)) / len(cells) if cells else 0.0


def _is_time(cell: object) -> bool:
    return parse_timestamp(cell) is not None or needs_date_order(cell)


def _is_number(cell: object) -> bool:
    return isinstance(cell, bool | int | float) or (isinstance(cell, str) and bool(_NUMBER.fullmatch(cell.strip())))


def _as_line(cell: object) -> str:
    try:
        return (as_text(cell, what="cell") or "").strip()
    except BadCell:
        return str(cell)


def _is_list_of_passages(cell: object) -> bool:
    if isinstance(cell, bool | int | float):
        return False
    odd: list[str] = []
    try:
        chunks = ContextReader(warn=odd.append).read([cell])
    except BadCell:
        return False
    # An object without a text is not a passage, and a cell that is one text not a list.
    if AS_JSON in odd or not chunks or chunks[0].text == cell:
        return False
    return median(len(_WORD.findall(chunk.text)) for chunk in chunks) >= _MIN_PASSAGE_WORDS
