"""Columns that hold the answer's own text, such as logs of all steps: as chunks they would support every claim."""

from collections.abc import Mapping, Sequence

from faithview.formats.files.aliases import find_columns
from faithview.formats.files.tables import RawRow
from faithview.formats.rows.cells import TEXT_KEYS, BadCell, as_text, is_missing
from faithview.formats.rows.contexts import has_text
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.paths import parsed, value_at

# Shorter texts are in many cells by chance.
_MIN_WORDS = 3
_HALF = 0.5
_MOST_LEVELS = 12


def without_answers(mapping: ColumnMapping, head: Sequence[RawRow]) -> tuple[str, ...]:
    """Return the columns of the contexts without those in whose objects the answer's own text is."""
    if mapping.answer is None:
        return mapping.contexts
    return tuple(column for column in mapping.contexts if not _in_objects(column, mapping.answer, head))


def holds_answer(column: str, mapping: ColumnMapping, head: Sequence[RawRow]) -> bool:
    """Return whether the column holds the answer's own text and so cannot be the chunks, as far as the head tells.

    A chunk may have all words of an answer in it. A column holds the answer itself if its cells are equal to it, if
    they are texts with both the question and the answer, or if an object in them has it under another key than a chunk
    has its text.
    """
    if mapping.answer is None or mapping.answer == column:
        return False
    if _in_objects(column, mapping.answer, head):
        return True
    pairs = [(_text(row, mapping.answer), _text(row, mapping.question), _text(row, column)) for row in head]
    told = [(answer, question, cell) for answer, question, cell in pairs if answer and cell]
    hits = [cell == answer or bool(question and question in cell and answer in cell) for answer, question, cell in told]
    return (bool(hits) and sum(hits) >= _HALF * len(hits)) or _is_item(column, mapping.answer, head)


def _is_item(column: str, answer: str, head: Sequence[RawRow]) -> bool:
    """Return whether one of the texts in the column's lists is equal to the answer in each of several rows."""
    rows = [(text, parsed(row.values.get(column))) for row in head if (text := _text(row, answer))]
    lists = [(text, cell) for text, cell in rows if isinstance(cell, list | tuple)]
    return len(lists) > 1 and all(any(_folded(_item_text(item)) == text for item in cell) for text, cell in lists)


def _item_text(item: object) -> str:
    try:
        return as_text(item, what="item") or ""
    except BadCell:
        return ""


def _in_objects(column: str, answer: str, head: Sequence[RawRow]) -> bool:
    return any(
        bool(text := _text(row, answer)) and _has_own(parsed(row.values.get(column)), text, is_answer=False, level=0)
        for row in head
    )


def _has_own(value: object, answer: str, *, is_answer: bool, level: int) -> bool:
    """Return whether the answer is in a value, outside of what may be a chunk."""
    value = parsed(value)
    if isinstance(value, str):
        return is_answer and answer in _folded(value)
    if level > _MOST_LEVELS:
        return False
    if isinstance(value, list | tuple):
        return any(_has_own(item, answer, is_answer=is_answer, level=level + 1) for item in value)
    if not isinstance(value, Mapping) or (has_text(value) and not _is_message(value) and not is_answer):
        return False
    return any(
        _has_own(inner, answer, is_answer=isinstance(parsed(inner), str) or _names_answer(key), level=level + 1)
        for key, inner in value.items()
    )


def _names_answer(key: object) -> bool:
    return bool(find_columns("answer", [str(key)]))


def _is_message(value: Mapping[object, object]) -> bool:
    return "role" in value or str(value.get("type")).lower() in ("ai", "human", "assistant", "user")


def _text(row: RawRow, path: str | None) -> str:
    """Return a cell as text in lower case with single spaces; "" where it is none, or too short to tell anything."""
    value = None if path is None else value_at(row.values, path)
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, Mapping):
        value = next((value[key] for key in TEXT_KEYS if isinstance(value.get(key), str)), None)
    try:
        text = "" if is_missing(value) else _folded(as_text(value, what="cell") or "")
    except BadCell:
        return ""
    return text if len(text.split()) >= _MIN_WORDS else ""


def _folded(text: str) -> str:
    return " ".join(text.split()).lower()
