"""Guesses the meaning of columns with unknown names from the form of their cells, and finds names that compete."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from types import MappingProxyType
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
    competing: dict[Field, tuple[str, ...]] = {}
    guessed: dict[str, str] = {}
    if not by_tool:
        mapping, competing = _check_named(columns, cells, mapping, answered=answered)
    for name, fits in _FITS.items():
        is_known = bool(getattr(mapping, name)) or (name == "answer" and mapping.claim is not None)
        if is_known or name in (*competing, *answered) or (by_tool and name in _REQUIRED):
            continue
        taken = {*_used(mapping, columns), *(column for rivals in competing.values() for column in rivals)}
        likely = tuple(column for column in columns if column not in taken and fits(cells[column]))
        if name == "contexts":
            likely = tuple(column for column in likely if not holds_answer(column, mapping, head))
        if name == "answer" and len(likely) == 2 and not mapping.contexts and "contexts" not in (*competing, *answered):
            shorter, longer = sorted(likely, key=lambda column: _words_of(cells[column]))
            if _words_of(cells[longer]) >= _CLEARLY_LONGER * _words_of(cells[shorter]):
                mapping = mapping.override({"contexts": (longer,)})
                guessed[longer], likely = "by its length", (shorter,)
        if len(likely) > 1:
            competing[name] = likely
        elif likely:
            mapping = mapping.override({name: likely})
            guessed[likely[0]] = "by its content"
    return ColumnGuess(mapping=mapping, guessed=guessed, competing=competing)


def _check_named(
    columns: Sequence[str], cells: Mapping[str, _Cells], mapping: ColumnMapping, *, answered: Collection[str]
) -> tuple[ColumnMapping, dict[Field, tuple[str, ...]]]:
    """Remove a time whose cells are none, and name the columns that compete for the answer or the chunks."""
    times = cells.get(mapping.timestamp or "", ())
    if times and "timestamp" not in answered and _share(times, _is_time) < _MOST:
        mapping = replace(mapping, timestamp=None)
    competing: dict[Field, tuple[str, ...]] = {}
    for name in _REQUIRED:
        used = mapping.contexts if name == "contexts" else tuple(c for c in [mapping.answer] if c)
        if len(used) != 1 or name in answered:
            continue
        left = [column for column in find_columns(name, columns) if column not in _used(mapping, columns)]
        others = [c for c in left if _is_prose(cells[c]) or (name == "contexts" and _are_passages(cells[c]))]
        if others:
            competing[name] = (*used, *others)
            mapping = mapping.override({name: ()})
    return mapping, competing


def _used(mapping: ColumnMapping, columns: Sequence[str]) -> set[str | None]:
    """Return the columns that are mapped, or that a path leads into."""
    return {column_of(name, columns) for name in mapping.columns}


def _are_questions(cells: _Cells) -> bool:
    return _is_text(cells) and _share(cells, lambda cell: _as_line(cell).endswith("?")) >= _HALF


def _are_times(cells: _Cells) -> bool:
    # Numbers can be seconds since 1970, but also ids: only a name identifies those.
    return _share(cells, lambda cell: not _is_number(cell) and _is_time(cell)) >= _MOST


def _is_prose(cells: _Cells) -> bool:
    return _is_text(cells) and _words_of(cells) >= _PROSE_WORDS


def _words_of(cells: _Cells) -> float:
    """Return the median number of words."""
    return median(len(_WORD.findall(_as_line(cell))) for cell in cells)


def _are_sentences(cells: _Cells) -> bool:
    return _is_text(cells) and _share(cells, lambda cell: len(_as_line(cell).split()) > 1) >= _HALF


def _are_passages(cells: _Cells) -> bool:
    return _share(cells, _is_list_of_passages) >= _HALF


# The fields that cells can identify; each column is used once, so the answer is the only text beside the question.
_FITS: Mapping[Field, Callable[[_Cells], bool]] = MappingProxyType(
    {"question": _are_questions, "timestamp": _are_times, "answer": _are_sentences, "contexts": _are_passages}
)


def _share(cells: _Cells, is_one: Callable[[object], bool]) -> float:
    return sum(map(is_one, cells)) / len(cells) if cells else 0.0


def _is_text(cells: _Cells) -> bool:
    """Return whether the cells are texts: not lists, times or numbers."""
    odd = _share(cells, lambda cell: _is_number(cell) or _is_time(cell) or _is_list_of_passages(cell))
    return bool(cells) and odd <= 1 - _MOST


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
        chunks = ContextReader(warn=odd.append, note=lambda _: None).read([cell])
    except BadCell:
        return False
    # An object without a text is not a passage, and a cell that is one text not a list.
    if AS_JSON in odd or not chunks or chunks[0].text == cell:
        return False
    return median(len(_WORD.findall(chunk.text)) for chunk in chunks) >= _MIN_PASSAGE_WORDS
