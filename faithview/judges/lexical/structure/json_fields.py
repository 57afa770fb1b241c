"""Fields of records in a chunk (JSON, or a Python dict as text), where the value decides and not the words.

In `{"OutdoorSeating": false}` the words "outdoor seating" are there, and the chunk says that there is none.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from faithview.judges.lexical.structure.field import FALSE, FLAGS, UNKNOWN, Field, Place
from faithview.judges.lexical.structure.key_lines import find_key_lines
from faithview.judges.lexical.structure.tables import find_rows

__all__ = ["Field", "find_records"]

_PART = re.compile(
    r"""(?P<key>"(?:[^"\\\n]|\\.){1,80}"|'(?:[^'\\\n]|\\.){1,80}')\s*:\s*
      | (?P<open>[{\[])
      | (?P<close>[}\]])
      | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<bare>[^\s,{}\[\]"':][^\s,{}\[\]]*)
    """,
    re.VERBOSE | re.DOTALL,
)


def find_records(text: str) -> list[Field]:
    """Return the fields of a chunk that is a record or holds a table; an empty list for prose."""
    head = text.lstrip()[:1]
    if head in ("{", "["):
        return _nested_fields(text)
    rows = find_rows(text)
    return _with_key_lines(rows, text) if rows else find_key_lines(text)


def _with_key_lines(rows: Sequence[Field], text: str) -> list[Field]:
    """Return the rows of tables with the "key: value" lines between them as fields."""
    keyed = {field.end: field for field in find_key_lines(text) if field.keys}
    return [field if field.cells else keyed.get(field.end, field) for field in rows]


class _Object:
    """An object that is being read: which list it is an element of, and the places of what may name it."""

    __slots__ = ("first_field", "group", "name", "rank", "start")

    def __init__(self, start: int, group: int, first_field: int) -> None:
        self.start = start
        self.group = group
        self.first_field = first_field
        self.name: Place | None = None
        self.rank = len(_NAMES) + 1


# The keys whose values name an object, the most telling first; else its very first string does.
_NAMES = ("name", "title", "id", "plan", "model", "product", "label", "sku", "code", "type")


def _nested_fields(text: str) -> list[Field]:
    fields: list[Field] = []
    # For each open bracket the key that leads to it, None where it has none (an element of a list).
    path: list[Place | None] = []
    # For each open bracket the object that it opens, None where it opens a list; and where the lists begin.
    objects: list[_Object | None] = []
    brackets: list[int] = []
    # The fields that belong to no element of a list so far, and the objects that stand side by side in the text.
    loose: list[int] = []
    records: list[tuple[_Object, list[int]]] = []
    key: Place | None = None
    key_start = -1
    for part in _PART.finditer(text):
        if part["key"]:
            key = (part.start("key") + 1, part.end("key") - 1)
            key_start = part.start()
        elif part["open"]:
            is_object = part["open"] == "{"
            objects.append(_Object(part.start(), brackets[-1] if brackets else -1, len(fields)) if is_object else None)
            brackets.append(part.start())
            path.append(key)
            key = None
        elif part["close"]:
            if path:
                path.pop()
                brackets.pop()
                closed = objects.pop()
                if closed is not None and (not objects or objects[-1] is None):
                    own = _taken_from(loose, closed.first_field)
                    if objects:
                        _name_fields(fields, closed, own)
                    else:
                        records.append((closed, own))
            key = None
        else:
            value = part["string"] or part["bare"]
            bare = value.strip("\"'").strip()
            # "none" in quotes is a choice that somebody made; None and null are not.
            is_unknown = bare.lower() in UNKNOWN and not (part["string"] and bare == "none")
            if key and objects and objects[-1] is not None:
                _note_name(objects[-1], text[key[0] : key[1]].lower(), part, bare, is_first=len(fields))
            bare = bare.lower()
            loose.append(len(fields))
            fields.append(
                Field(
                    start=key_start if key else part.start(),
                    end=part.end(),
                    keys=tuple(k for k in (*path[-2:], key) if k),
                    value_start=part.start(),
                    value_end=part.end(),
                    is_denied=bare in FALSE or (bare == "none" and not is_unknown),
                    is_unknown=is_unknown,
                    is_flag=bare in FLAGS or (bare == "none" and not is_unknown),
                )
            )
            if path and text[part.end() : part.end() + 1] != ",":
                continue
            key = None
    if len(records) > 1:
        for read, own in records:
            read.group = records[0][0].start
            _name_fields(fields, read, own)
    elif records and fields:
        # A record that stands alone is about what all its fields are about: the first of them tells.
        fields[0] = replace(fields[0], subject=records[0][0].name)
    # Prose that happens to begin with a bracket has no keys.
    return fields if sum(bool(field.keys) for field in fields) >= max(1, len(fields) // 3) else []


def _note_name(read: _Object, key: str, part: "re.Match[str]", bare: str, *, is_first: int) -> None:
    """Remember a value that names the object better than those before it: a short one that is no date."""
    if len(bare) > _LONGEST_NAME or not bare:
        return
    rank = _NAMES.index(key) if key in _NAMES else len(_NAMES)
    is_plain_first = rank == len(_NAMES) and is_first == read.first_field and part["string"] and not bare[0].isdigit()
    if rank < read.rank and (rank < len(_NAMES) or is_plain_first):
        read.name, read.rank = part.span(), rank


_LONGEST_NAME = 60


def _taken_from(loose: list[int], first: int) -> list[int]:
    own = []
    while loose and loose[-1] >= first:
        own.append(loose.pop())
    return own


def _name_fields(fields: list[Field], read: _Object, own: Sequence[int]) -> None:
    """Tell the fields of an object, an element of a list, of what they tell."""
    for number in own:
        fields[number] = replace(fields[number], subject=read.name, element=read.start, group=read.group)
