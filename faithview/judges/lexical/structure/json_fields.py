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
    reading = _Reading(text)
    for part in _PART.finditer(text):
        if part["key"]:
            reading.key = (part.start("key") + 1, part.end("key") - 1)
            reading.key_start = part.start()
        elif part["open"]:
            reading.open(part)
        elif part["close"]:
            reading.close()
        else:
            reading.add_value(part)
    return reading.finish()


class _Reading:
    """The fields of a text so far, and what is open where it is read."""

    def __init__(self, text: str) -> None:
        self.key: Place | None = None
        self.key_start = -1
        self._text = text
        self._fields: list[Field] = []
        # For each open bracket the key that leads to it, None where it has none (an element of a list).
        self._path: list[Place | None] = []
        # For each open bracket the object that it opens, None where it opens a list; and where the lists begin.
        self._objects: list[_Object | None] = []
        self._brackets: list[int] = []
        # The fields that belong to no element of a list so far, and the objects that are side by side in the text.
        self._loose: list[int] = []
        self._records: list[tuple[_Object, list[int]]] = []

    def open(self, part: "re.Match[str]") -> None:
        group = self._brackets[-1] if self._brackets else -1
        self._objects.append(_Object(part.start(), group, len(self._fields)) if part["open"] == "{" else None)
        self._brackets.append(part.start())
        self._path.append(self.key)
        self.key = None

    def close(self) -> None:
        self.key = None
        if not self._path:
            return
        self._path.pop()
        self._brackets.pop()
        closed = self._objects.pop()
        if closed is None or (self._objects and self._objects[-1] is not None):
            return
        own = _taken_from(self._loose, closed.first_field)
        if self._objects:
            _name_fields(self._fields, closed, own)
        else:
            self._records.append((closed, own))

    def add_value(self, part: "re.Match[str]") -> None:
        key, text = self.key, self._text
        bare = (part["string"] or part["bare"]).strip("\"'").strip()
        # "none" in quotes is a choice that somebody made; None and null are not.
        is_unknown = bare.lower() in UNKNOWN and not (part["string"] and bare == "none")
        if key and self._objects and (read := self._objects[-1]) is not None:
            _note_name(read, text[key[0] : key[1]].lower(), part, bare, is_first=len(self._fields))
        bare = bare.lower()
        self._loose.append(len(self._fields))
        self._fields.append(
            Field(
                start=self.key_start if key else part.start(),
                end=part.end(),
                keys=tuple(k for k in (*self._path[-2:], key) if k),
                value_start=part.start(),
                value_end=part.end(),
                is_denied=bare in FALSE or (bare == "none" and not is_unknown),
                is_unknown=is_unknown,
                is_flag=bare in FLAGS or (bare == "none" and not is_unknown),
            )
        )
        if not self._path or text[part.end() : part.end() + 1] == ",":
            self.key = None

    def finish(self) -> list[Field]:
        """Return the fields, with the objects side by side named."""
        fields, records = self._fields, self._records
        if len(records) > 1:
            for read, own in records:
                read.group = records[0][0].start
                _name_fields(fields, read, own)
        elif records and fields:
            # A record that is alone is about what all its fields are about: the first of them tells.
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
