"""Finds the question, the answer and the chunks in the objects of a column: `outputs.result.answer`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from faithview.domain.mapping import Field
from faithview.formats.files.aliases import find_columns
from faithview.formats.files.tables import RawRow
from faithview.formats.reading.reader import Question
from faithview.formats.rows.cells import TEXT_KEYS, is_missing, parsed, value_at
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_MOST_LEVELS = 3
# The structure of a model's reply as the server sent it.
_REPLIES = ("choices.0.message.content", "choices.0.text", "content.0.text", "message.content")


def map_chunks(
    head: Sequence[RawRow], mapping: ColumnMapping, columns: Sequence[str]
) -> tuple[ColumnMapping, tuple[Question, ...]]:
    """Return the mapping with the place of the chunks in these columns; several places lead to a question."""
    places = _find_paths("contexts", columns, head)
    if len(places) > 1:
        why = f"{' and '.join(map(repr, places))} could each be the retrieved chunks."
        return mapping, (Question(field="contexts", candidates=places, why=why),)
    return replace(mapping, contexts=places or mapping.contexts), ()


def map_inside(head: Sequence[RawRow], mapping: ColumnMapping) -> tuple[ColumnMapping, tuple[Question, ...]]:
    """Return the mapping with paths into the question's and answer's columns if their cells are objects.

    An object itself is never the answer. If no key in it is known to be the answer, the mapping has none and says so.
    If no column has the chunks, they are looked for in the same objects.
    """
    inside: dict[Field, str | None] = {}
    fields: tuple[Field, ...] = ("answer", "question", "reference")
    places: dict[str, None] = {}
    for name in fields:
        column = getattr(mapping, name)
        cells = [parsed(cell) for row in head if not is_missing(cell := row.values.get(column))]
        objects = [cell for cell in cells if isinstance(cell, Mapping)]
        if len(objects) < len(cells) and name == "answer" and any(find_columns(name, list(item)) for item in objects):
            why = f"Some cells of {column!r} are texts and others objects with an answer in them"
            return replace(mapping, answer=None, unmapped_answer=why), ()
        if objects and len(objects) == len(cells):
            key = next((key for key in TEXT_KEYS if isinstance(objects[0].get(key), str)), None)
            found = _find_paths(name, (column,), head)
            inside[name] = found[0] if found else f"{column}.{key}" if key else None
            places.update({column: None} if name != "reference" else {})
    if "answer" in inside and inside["answer"] is None:
        why = f"The cells of {mapping.answer!r} are objects in which no key is known to be the answer"
        mapping = replace(mapping, unmapped_answer=why)
    mapping = replace(mapping, **inside)  # type: ignore[arg-type]  # the fields are texts
    return map_chunks(head, mapping, list(places)) if not mapping.contexts else (mapping, ())


def _find_paths(field: Field, columns: Sequence[str], head: Sequence[RawRow]) -> tuple[str, ...]:
    """Return the paths of the field in the cells of these columns; the first row with a path in a column decides."""
    by_column = ([list(paths_in(field, row.values.get(column), column)) for row in head] for column in columns)
    found = [next(filter(None, rows), []) for rows in by_column]
    return tuple(dict.fromkeys(path for paths in found for path in paths))


def paths_in(field: Field, value: object, path: str, level: int = 0) -> Iterator[str]:
    """Yield the paths of the field in a value that is itself at a path.

    It is a text, a key with a known name for the field, a model's reply, or the only text of an object; chunks are
    found only by their key.
    """
    value = parsed(value)
    if not isinstance(value, Mapping):
        is_messages = field == "question" and _are_messages(value)
        if field != "contexts" and (is_messages or (isinstance(value, str) and not is_missing(value))):
            yield path
        return
    keys = [str(key) for key, inner in value.items() if not is_missing(inner)]
    named = find_columns(field, keys)[:1]
    if field == "contexts":
        yield from (f"{path}.{key}" for key in named)
    elif named:
        yield from paths_in(field, value[named[0]], f"{path}.{named[0]}", level + 1)
        return
    elif (inside := _place_without_name(field, value, keys)) is not None:
        yield f"{path}.{inside}"
        return
    if not named and level < _MOST_LEVELS:
        for key in keys:
            if isinstance(inner := parsed(value[key]), Mapping):
                yield from paths_in(field, inner, f"{path}.{key}", level + 1)


def _place_without_name(field: Field, value: Mapping[str, object], keys: Sequence[str]) -> str | None:
    """Return the path of a field without a known name: a model's reply, the only text, a conversation."""
    replies = _REPLIES if field == "answer" else ()
    if reply := next((reply for reply in replies if isinstance(value_at({"": value}, f".{reply}"), str)), None):
        return reply
    if len(keys) == 1 and isinstance(value[keys[0]], str):
        return keys[0]
    return next((key for key in keys if _are_messages(value[key])), None) if field == "question" else None


def _are_messages(value: object) -> bool:
    value = parsed(value)
    return isinstance(value, list) and bool(value) and all(isinstance(i, Mapping) and "content" in i for i in value)
