"""Fields of records in a chunk (JSON, or a Python dict as text), where the value decides and not the words.

In `{"OutdoorSeating": false}` the words "outdoor seating" are there, and the chunk says that there is none.
"""

import re
from dataclasses import dataclass

_PART = re.compile(
    r"""(?P<key>"(?:[^"\\\n]|\\.){1,80}"|'(?:[^'\\\n]|\\.){1,80}')\s*:\s*
      | (?P<open>[{\[])
      | (?P<close>[}\]])
      | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<bare>[^\s,{}\[\]"':][^\s,{}\[\]]*)
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_FIELD = re.compile(
    r"^[ \t]*(?P<key>[A-Za-z][\w ./-]{0,60}?)[ \t]*[:=][ \t]*"
    r"(?P<value>true|false|null|none|yes|no|n/a)[ \t]*[,.;]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_FALSE = frozenset({"false", "no"})
_FLAGS = _FALSE | {"true", "yes"}
_UNKNOWN = frozenset({"null", "none", "n/a", "nan"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field `[start, end)` with the places of the keys that lead to it, its own last, and of its value.

    `is_flag`: the value is true or false (or yes or no); `is_denied`: it is false; `is_unknown`: it is null.
    """

    start: int
    end: int
    keys: tuple[tuple[int, int], ...]
    value_start: int
    value_end: int
    is_denied: bool = False
    is_unknown: bool = False
    is_flag: bool = False


def find_records(text: str) -> list[Field]:
    """Return the fields of a chunk that is a record; an empty list for prose."""
    head = text.lstrip()[:1]
    if head in ("{", "["):
        return _nested_fields(text)
    plain = list(_PLAIN_FIELD.finditer(text))
    return _with_lines_between(text, plain) if plain else []


def _nested_fields(text: str) -> list[Field]:
    fields: list[Field] = []
    # For each open bracket the key that leads to it, None where it has none (an element of a list).
    path: list[tuple[int, int] | None] = []
    key: tuple[int, int] | None = None
    key_start = -1
    for part in _PART.finditer(text):
        if part["key"]:
            key = (part.start("key") + 1, part.end("key") - 1)
            key_start = part.start()
        elif part["open"]:
            path.append(key)
            key = None
        elif part["close"]:
            if path:
                path.pop()
            key = None
        else:
            value = part["string"] or part["bare"]
            bare = value.strip("\"'").strip()
            # "none" in quotes is a choice that somebody made; None and null are not.
            is_unknown = bare.lower() in _UNKNOWN and not (part["string"] and bare == "none")
            bare = bare.lower()
            fields.append(
                Field(
                    start=key_start if key else part.start(),
                    end=part.end(),
                    keys=tuple(k for k in (*path[-2:], key) if k),
                    value_start=part.start(),
                    value_end=part.end(),
                    is_denied=bare in _FALSE or (bare == "none" and not is_unknown),
                    is_unknown=is_unknown,
                    is_flag=bare in _FLAGS or (bare == "none" and not is_unknown),
                )
            )
            if path and text[part.end() : part.end() + 1] != ",":
                continue
            key = None
    # Prose that happens to begin with a bracket has no keys.
    return fields if sum(bool(field.keys) for field in fields) >= max(1, len(fields) // 3) else []


def _with_lines_between(text: str, plain: list[re.Match[str]]) -> list[Field]:
    """Return the plain "key: value" lines as fields and the lines between them as fields without a key."""
    fields, at = [], 0
    for match in plain:
        fields += _lines(text, at, match.start())
        value = match["value"].lower()
        fields.append(
            Field(
                start=match.start("key"),
                end=match.end("value"),
                keys=(match.span("key"),),
                value_start=match.start("value"),
                value_end=match.end("value"),
                is_denied=value in _FALSE,
                is_unknown=value in _UNKNOWN,
                is_flag=value in _FLAGS,
            )
        )
        at = match.end()
    return [*fields, *_lines(text, at, len(text))]


def _lines(text: str, start: int, stop: int) -> list[Field]:
    return [
        Field(start=m.start(), end=m.end(), keys=(), value_start=m.start(), value_end=m.end())
        for m in re.compile(r"\S[^\n]*").finditer(text, start, stop)
    ]
