"""JSON Lines and JSON, recognised by content, and the rows in a JSON document."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TextIO, cast

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.aliases import is_known_column
from faithview.formats.files.report import RowProblem, Unit, preview_of
from faithview.formats.files.source import Encoding, Source
from faithview.formats.files.tables import RawRow, RawRows, Table, lines_of, open_text
from faithview.formats.limits import DOCUMENT, LINE, check_levels, decode_json, load_json

# If an object has several lists of objects, the first of these names has the rows.
_WRAPPERS = (
    "data",
    "rows",
    "results",
    "samples",
    "records",
    "items",
    "examples",
    "goldens",
    "testCases",
    "test_cases",
    "dataset",
    "evaluation",
    "answers",
)
_MOST_KEYS = 4
_BLOCK_CHARACTERS = 1 << 18
_LINES_TO_CHECK = 20
_SPACE = re.compile(r"[ \t\n\r]*")


def open_json(source: Source, encoding: Encoding) -> Table:
    """Open JSON Lines (read line by line), a JSON list (item by item) or an object around the rows (all at once).

    Raises:
        UnreadableFile: the JSON is truncated, malformed or without rows.
    """
    table = Table(name=source.name, format=source.format_of("json"), warnings=encoding.warnings, source=source)
    if source.start(encoding.codec).lstrip().startswith("["):
        # The table reads the first rows only: a later fault must be known before any row is stored.
        for _ in _read_list(source, encoding):
            pass
        return table.with_rows(lambda: _read_list(source, encoding))
    if _is_json_lines(source, encoding):
        lines = replace(table, format=source.format_of("jsonl"))
        return lines.with_rows(lambda: _read_lines(source, encoding), unit="line")
    loaded = _load(source, encoding)
    if not loaded:
        raise UnreadableFile(f"{source.name} contains an empty JSON object.")
    rows, note = _find_rows(loaded)
    whole = replace(table, notes=(note,) if note else (), document=loaded)
    return whole.with_rows(lambda: (_as_row(number, item, "row") for number, item in enumerate(rows, start=1)))


def starts_like_json(source: Source, encoding: Encoding) -> bool:
    """Return whether the first character starts a JSON object or list."""
    return source.start(encoding.codec).lstrip().startswith(("{", "["))


def _is_json_lines(source: Source, encoding: Encoding) -> bool:
    """Return whether each line is an object, ignoring single broken lines."""
    with open_text(source, encoding.codec, newline="\n") as stream:
        lines = list(islice(filter(str.strip, lines_of(stream, source.name)), _LINES_TO_CHECK))
    objects = [_is_object(line) for line in lines]
    # A complete first line cannot be the start of a larger object, unless it is the whole file.
    return len(lines) > 1 and (objects[0] or 2 * sum(objects) >= len(lines))


def _is_object(line: str) -> bool:
    try:
        return isinstance(load_json(line), dict)
    except ValueError:
        return False


def _load(source: Source, encoding: Encoding) -> dict[str, object]:
    with open_text(source, encoding.codec, newline="\n") as stream:
        text = stream.read(DOCUMENT + 1)
    if len(text) > DOCUMENT:
        raise UnreadableFile(
            f"{source.name} is one JSON object of more than {DOCUMENT:,} characters; save its rows as JSON Lines or as "
            "a JSON list, which are read row by row."
        )
    try:
        return cast(dict[str, object], load_json(text))  # it begins with "{"
    except json.JSONDecodeError as error:
        raise _broken(source.name, error) from error
    except ValueError as error:
        raise UnreadableFile(f"{source.name} cannot be read as JSON: {error}.") from error


def _broken(name: str, error: json.JSONDecodeError, *, before: int = 0) -> UnreadableFile:
    """Return the error about JSON with a fault, at a line that counts those `before` its text."""
    end, rest = error.doc[: error.pos].rstrip(), error.doc[error.pos :].lstrip()
    comma = (
        "; remove the comma behind the last item"
        if end.endswith(",") and rest.startswith(("]", "}"))
        else "; get the whole file, or correct it"
    )
    return UnreadableFile(
        f"{name} is broken or truncated JSON: {error.msg.removesuffix(' at')} at line {before + error.lineno}, after "
        f"{preview_of(end[-40:])!r}{comma}."
    )


def _read_lines(source: Source, encoding: Encoding) -> RawRows:
    with open_text(source, encoding.codec, newline="\n") as stream:
        for number, line in enumerate(lines_of(stream, source.name), start=1):
            if not line.strip():
                continue
            try:
                item = load_json(line)
            except ValueError as error:
                at = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
                reason = f"the line is not JSON ({str(error).partition(':')[0].removesuffix(' at')}{at})"
                yield RowProblem(line=number, reason=reason, preview=preview_of(line), unit="line")
            else:
                yield _as_row(number, item, "line")


def _read_list(source: Source, encoding: Encoding) -> RawRows:
    with open_text(source, encoding.codec, newline="\n") as stream:
        for number, item in enumerate(_list_items(stream, source.name), start=1):
            yield _as_row(number, item, "row")


def _list_items(stream: TextIO, name: str) -> Iterator[object]:
    """Yield the items of a JSON list, keeping one item and one block of text in memory."""
    text = stream.read(_BLOCK_CHARACTERS)
    at = _skip(text, text.index("[") + 1)
    before = 0
    mark = text[at : at + 1]
    while mark != "]":
        try:
            item, end = decode_json(text, at)
            end = _skip(text, end)
            mark = text[end : end + 1]
            if mark not in (",", "]"):
                raise json.JSONDecodeError("Expecting ',' or ']'", text, end)
        except json.JSONDecodeError as error:
            more = stream.read(max(_BLOCK_CHARACTERS, len(text) - at)) if len(text) - at <= LINE else ""
            if not more:
                raise _broken(name, error, before=before) from error
            before += text.count("\n", 0, at)
            text, at = text[at:] + more, 0
            mark = ""
        else:
            yield item
            at = end if mark == "]" else _skip(text, end + 1)
    text += stream.read(_BLOCK_CHARACTERS)
    if text[at + 1 :].strip():
        raise _broken(name, json.JSONDecodeError("Extra data", text, at + 1), before=before)


def _skip(text: str, at: int) -> int:
    """Return the place of the next character that is not whitespace."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _find_rows(value: Mapping[str, object]) -> tuple[Sequence[object], str]:
    """Return the rows of a JSON object and a note on where they are; an object without a list of rows is one row."""
    if (rows := _transpose(value)) is not None:
        return rows, "The file lists its columns instead of its rows."
    objects: list[tuple[tuple[str, ...], Mapping[str, object]]] = [((), value)]
    for _ in range(_MOST_KEYS):
        inside = [((*path, key), item) for path, one in objects if not _is_row(one) for key, item in one.items()]
        lists = [
            (path, item) for path, item in inside if isinstance(item, list) and item and isinstance(item[0], Mapping)
        ]
        named = [(path, item) for name in _WRAPPERS for path, item in lists if path[-1] == name]
        if named or len(lists) == 1:
            path, rows = (named or lists)[0]
            return rows, f"The rows were read from {'.'.join(path)!r}."
        objects = [(path, item) for path, item in inside if isinstance(item, Mapping)]
    if value and all(isinstance(item, Mapping) and _is_row(item) for item in value.values()):
        keyed = [{"key": key, **item} for key, item in value.items() if isinstance(item, Mapping)]
        return keyed, "The rows were read from an object that names each row."
    return [value], ""


def _is_row(value: Mapping[str, object]) -> bool:
    """Return whether an object is itself a row: it has a text as its answer, and a question or contexts."""
    has_answer = any(isinstance(item, str) and is_known_column(key, only="answer") for key, item in value.items())
    return has_answer and any(
        is_known_column(key, only="question") or is_known_column(key, only="contexts") for key in value
    )


def _transpose(value: Mapping[str, object]) -> Sequence[object] | None:
    """Turn {"question": [...], "answer": [...]}, also with {"0": ..., "1": ...} for lists, into rows."""
    names, split_rows = value.get("columns"), value.get("data")
    if isinstance(names, list) and isinstance(split_rows, list):
        return [
            dict(zip(map(str, names), row, strict=True)) if isinstance(row, list) and len(row) == len(names) else row
            for row in split_rows
        ]
    if not any(is_known_column(key, only="answer") for key in value):
        return None
    columns: dict[str, Mapping[object, object]] = {
        key: dict(enumerate(item)) if isinstance(item, list) else item
        for key, item in value.items()
        if isinstance(item, list | Mapping)
    }
    first, *others = columns.values() or ({},)
    if len(columns) < len(value) or not others or not first or any(len(column) != len(first) for column in others):
        return None
    return [{key: column.get(index) for key, column in columns.items()} for index in first]


def _as_row(number: int, item: object, unit: Unit) -> RawRow | RowProblem:
    if not isinstance(item, Mapping):
        reason = f"the row is a {type(item).__name__} instead of an object with named fields"
        return RowProblem(line=number, reason=reason, preview=preview_of(item), unit=unit)
    try:
        check_levels(item)
    except ValueError as error:
        return RowProblem(line=number, reason=f"the row cannot be used: {error}", unit=unit)
    return RawRow(number, {str(key): value for key, value in item.items()})
