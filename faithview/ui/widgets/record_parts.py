"""Chunks that are more than prose, cut into the parts that are drawn: records and tables in Markdown.

Records are JSON or lines of "key: value", cut to give each key and its value a line of their own; of a table, each cell
is a part. The text stays as it is, letter by letter, and offsets of quotes hold: roles and cells only say how parts are
drawn.
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

    `role` is "key" for one that begins a new line after `indent`, "first-key" and "line-key" for one at the
    beginning of a line already, "key-end" for the colon after a key, "value", "syntax" for what is not shown, or ""
    for text as it is. `cell` is the row and the column in a table, both from 0; None outside of tables.
    """

    start: int
    end: int
    role: str
    indent: str = ""
    cell: tuple[int, int] | None = None


def find_record(text: str) -> Sequence[RecordPart]:
    """Return the parts of a record, which join to the text; none where the text is prose."""
    if len(text) > _LONGEST:
        return ()
    stripped = text.strip()
    if stripped[:1] in ("{", "[") and stripped[-1:] in ("}", "]"):
        return tuple(_json_parts(text)) if _is_json_record(stripped) else ()
    return tuple(_line_parts(text)) if _has_key_lines(text) else ()


def find_tables(text: str) -> Sequence[RecordPart]:
    """Return the parts of a text with tables in Markdown, which join to the text; none where it has no table."""
    if len(text) > _LONGEST or "|" not in text:
        return ()
    lines = list(_TABLE_LINE.finditer(text))
    parts: list[RecordPart] = []
    done, at = 0, 0
    while at + 1 < len(lines):
        width = len(_cells(lines[at]))
        if width < _LEAST_COLUMNS or not _RULE.fullmatch(lines[at + 1][0]) or len(_cells(lines[at + 1])) != width:
            at += 1
            continue
        last = at + 2
        while last < len(lines) and "|" in lines[last][0]:
            last += 1
        if lines[at].start() > done:
            parts.append(RecordPart(start=done, end=lines[at].start(), role=""))
        rows = [lines[at], *lines[at + 2 : last]]
        done = lines[last].start() if last < len(lines) else len(text)
        ends = [lines[at + 2].start() if last > at + 2 else done, *(row.start() for row in rows[2:]), done]
        for number, (row, end) in enumerate(zip(rows, ends, strict=False)):
            parts += _row_parts(row, number, end, width)
        at = last
    if parts and done < len(text):
        parts.append(RecordPart(start=done, end=len(text), role=""))
    return parts


def _cells(line: re.Match[str]) -> list[tuple[int, int]]:
    """Return where the cells of a line begin and end, without the space around their words."""
    text, start = line[0], line.start()
    bars = [match.start() for match in _BAR.finditer(text)]
    edges = [-1, *bars, len(text)]
    cells = [(left + 1, right) for left, right in itertools.pairwise(edges)]
    if bars and not text[: bars[0]].strip():
        cells = cells[1:]
    if bars and not text[bars[-1] + 1 :].strip():
        cells = cells[:-1]
    trimmed = []
    for left, right in cells:
        words = text[left:right]
        first = left + len(words) - len(words.lstrip())
        trimmed.append((start + first, start + max(first, left + len(words.rstrip()))))
    return trimmed


def _row_parts(line: re.Match[str], row: int, end: int, width: int) -> Iterator[RecordPart]:
    """Yield the cells of a row, with what is not shown between them; the last one goes on to `end`."""
    cells = _cells(line)
    shown = [*cells[: width - 1], (cells[width - 1][0], cells[-1][1])] if len(cells) >= width else cells
    done = line.start()
    for column, (left, right) in enumerate(shown):
        if left > done:
            yield RecordPart(start=done, end=left, role="syntax", cell=(row, column))
        if right > left:
            yield RecordPart(start=left, end=right, role="", cell=(row, column))
        done = right
    if end > done:
        yield RecordPart(start=done, end=end, role="syntax", cell=(row, max(0, len(shown) - 1)))


_TABLE_LINE = re.compile(r"[^\n]+|(?<=\n)(?=\n)")  # an empty line ends a table
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_LEAST_COLUMNS = 2


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
