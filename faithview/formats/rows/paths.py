"""Values that lie inside a cell, named by a path: `outputs.documents.0.text`."""

import re
from collections.abc import Mapping, Sequence

from faithview.formats.limits.json_value import load_json
from faithview.formats.rows.literals import read_literal

_STARTS = ("{", "[", "(")
_NUMBER = re.compile(r"\d{1,9}")


def value_at(values: Mapping[str, object], path: str) -> object:
    """Return the value at a path; None where a row has none there.

    A column whose own name is the path comes first. Then the longest column that the path begins with is entered, key
    by key and, in lists, item by item from 0; `*` takes the rest of the path from every item. Text that is JSON or a
    printed Python value is entered too.
    """
    if path in values:
        return values[path]
    parts = path.split(".")
    for length in range(len(parts) - 1, 0, -1):
        column = ".".join(parts[:length])
        if column in values:
            return _inside(values[column], parts[length:])
    return None


def keys_on(path: str, values: Mapping[str, object]) -> tuple[str, tuple[str, ...]] | None:
    """Return how far a path leads in a row, and the keys that are there; None where it leads to no object."""
    parts = path.split(".")
    for length in range(len(parts) - 1, 0, -1):
        start = ".".join(parts[:length])
        found = parsed(value_at(values, start))
        while isinstance(found, list | tuple) and found:
            found = parsed(found[0])
        if isinstance(found, Mapping) and found:
            return start, tuple(map(str, found))
    return None


def column_of(path: str, columns: Sequence[str]) -> str | None:
    """Return the column that a path leads into, or that it names itself; None where there is no such column."""
    parts = path.split(".")
    known = set(columns)
    return next((name for n in range(len(parts), 0, -1) if (name := ".".join(parts[:n])) in known), None)


def parsed(value: object) -> object:
    """Return the value of a text that is JSON or a printed Python value; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(_STARTS):
        return value
    try:
        return load_json(value)
    except ValueError:
        pass
    try:
        return read_literal(value)
    except ValueError:
        return value


def _inside(value: object, parts: Sequence[str]) -> object:
    for at, part in enumerate(parts):
        value = parsed(value.tolist() if hasattr(value, "tolist") else value)
        if isinstance(value, Mapping):
            # A key may have dots in it, as those of spans do: "llm.model".
            for end in range(len(parts), at, -1):
                if (key := ".".join(parts[at:end])) in value:
                    return _inside(value[key], parts[end:])
            return None
        if not isinstance(value, list | tuple):
            return None
        if not _NUMBER.fullmatch(part):
            found = [_inside(item, parts[at + (part == "*") :]) for item in value]
            return found if any(item is not None for item in found) else None
        if int(part) >= len(value):
            return None
        value = value[int(part)]
    return value
