"""Chunks that are records, JSON or lines of "key: value", cut so that each key and its value get a line of their own.

The text itself stays as it is, letter by letter, so that offsets of quotes hold: roles only say how parts are drawn.
"""

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# The longest text that is looked at: more is not read as a record by people either.
_LONGEST = 40_000
_DEEPEST = 6
_INDENT = "  "
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+|\s+')
_LINE = re.compile(r"[ \t]*([^\s:][^:\n]{0,39}?)[ \t]*:(?=[ \t]|$)[ \t]*", re.MULTILINE)
_LEAST_LINES = 2
_LEAST_SHARE = 0.8  # of the lines that are not empty


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPart:
    """A stretch `[start, end)` of a text.

    `role` is "key" for one that begins a new line after `indent`, "first-key" and "line-key" for one that stands at the
    beginning of a line already, "key-end" for the colon after a key, "value", or "syntax" for what is not shown.
    """

    start: int
    end: int
    role: str
    indent: str = ""


def find_record(text: str) -> Sequence[RecordPart]:
    """Return the parts of a record, which join to the text; none where the text is prose."""
    if len(text) > _LONGEST:
        return ()
    stripped = text.strip()
    if stripped[:1] in ("{", "[") and stripped[-1:] in ("}", "]"):
        return tuple(_json_parts(text)) if _is_json_record(stripped) else ()
    return tuple(_line_parts(text)) if _has_key_lines(text) else ()


def _is_json_record(text: str) -> bool:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    records = value if isinstance(value, list) else [value]
    return bool(records) and all(isinstance(record, dict) and record for record in records)


def _json_parts(text: str) -> Iterator[RecordPart]:
    """Yield the tokens of a JSON text by their roles; the quotes around a string are syntax."""
    depth, is_key_due, is_first = -1, False, True
    kinds: list[str] = []
    tokens = list(_TOKEN.finditer(text))
    for number, token in enumerate(tokens):
        start, end, word = token.start(), token.end(), token.group()
        if word[0] in "{[":
            kinds.append(word)
            depth += word == "{"
            is_key_due = word == "{"
            yield RecordPart(start=start, end=end, role="syntax")
        elif word[0] in "}]":
            depth -= kinds.pop() == "{"
            yield RecordPart(start=start, end=end, role="syntax")
        elif word == ",":
            is_key_due = kinds[-1] == "{"
            yield RecordPart(start=start, end=end, role="syntax" if is_key_due else "value")
        elif word == ":":
            yield RecordPart(start=start, end=end, role="key-end")
        elif word.isspace():
            # White space inside of a list is part of how it reads; elsewhere the lines take its place.
            is_inside = bool(kinds) and kinds[-1] == "[" and 0 < number < len(tokens) - 1 and "\n" not in word
            yield RecordPart(start=start, end=end, role="value" if is_inside else "syntax")
        elif is_key_due:
            is_key_due = False
            yield from _unquoted(start, end, "first-key" if is_first else "key", indent=_INDENT * min(depth, _DEEPEST))
            is_first = False
        elif word[0] == '"':
            yield from _unquoted(start, end, "value")
        else:
            yield RecordPart(start=start, end=end, role="value")


def _unquoted(start: int, end: int, role: str, *, indent: str = "") -> Iterator[RecordPart]:
    yield RecordPart(start=start, end=start + 1, role="syntax")
    if end - start > 2:
        yield RecordPart(start=start + 1, end=end - 1, role=role, indent=indent)
    yield RecordPart(start=end - 1, end=end, role="syntax")


def _has_key_lines(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    keyed = sum(_LINE.match(line) is not None for line in lines)
    return keyed >= _LEAST_LINES and keyed >= _LEAST_SHARE * len(lines)


def _line_parts(text: str) -> Iterator[RecordPart]:
    """Yield each line's key with its colon, and the rest; the lines are already there."""
    ends = [0]
    roles: list[str] = []
    for match in _LINE.finditer(text):
        if match.start() > 0 and text[match.start() - 1] != "\n":
            continue
        ends += [match.start(), match.end()]
        roles += ["value", "line-key"]
    ends.append(len(text))
    roles.append("value")
    for (start, end), role in zip(itertools.pairwise(ends), roles, strict=True):
        if start < end:
            yield RecordPart(start=start, end=end, role=role)
