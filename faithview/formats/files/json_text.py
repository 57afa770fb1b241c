"""JSON Lines and JSON, recognised by content, and the rows in a JSON document."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TextIO

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.aliases import is_known_column
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.source import Encoding, Source
from faithview.formats.files.tables import RawRow, RawRows, Table, build_table, lines_of, open_text
from faithview.formats.limits import current, find_end, hint, load_document, load_item, load_json

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
_MAX_DEPTH = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedRows:
    """The rows of a document; `is_wrapped` if they were inside an object, `note` for the user."""

    rows: Sequence[object]
    is_wrapped: bool
    note: str = ""


def find_rows(value: object, *, name: str) -> LocatedRows:
    """Return the rows of a JSON document.

    A single object without a list of rows is one row.

    Raises:
        UnreadableFile: the document is a text, a number, or an empty list or object.
    """
    if isinstance(value, list) and value:
        return LocatedRows(rows=value, is_wrapped=False)
    if isinstance(value, Mapping) and value:
        by_column = _transpose(value)
        if by_column is not None:
            return LocatedRows(rows=by_column, is_wrapped=True, note="The file lists its columns instead of its rows.")
        path, rows = _unwrap(value, ())
        if rows is not None:
            return LocatedRows(rows=rows, is_wrapped=True, note=f"The rows were read from {'.'.join(path)!r}.")
        by_key = _rows_by_key(value)
        if by_key is not None:
            return LocatedRows(
                rows=by_key, is_wrapped=True, note="The rows were read from an object that names each row."
            )
        return LocatedRows(rows=[value], is_wrapped=False)
    if isinstance(value, list | Mapping):
        raise UnreadableFile(f"{name} contains an empty JSON {'list' if isinstance(value, list) else 'object'}.")
    raise UnreadableFile(f"{name} contains a single JSON {type(value).__name__} and no rows.")


def _unwrap(value: Mapping[str, object], path: tuple[str, ...]) -> tuple[tuple[str, ...], Sequence[object] | None]:
    if is_row(value):
        return path, None
    candidates = [
        key for key, item in value.items() if isinstance(item, list) and bool(item) and isinstance(item[0], Mapping)
    ]
    named = [key for key in _WRAPPERS if key in candidates]
    if named or len(candidates) == 1:
        key = (named or candidates)[0]
        rows = value[key]
        return (*path, key), rows if isinstance(rows, list) else None
    if len(path) < _MAX_DEPTH:
        inner = [_unwrap(item, (*path, key)) for key, item in value.items() if isinstance(item, Mapping)]
        found = [(inner_path, rows) for inner_path, rows in inner if rows is not None]
        if found:
            # By their names, because keys have no order: a file's settings may have lists as well.
            return min(found, key=lambda pair: (pair[0][-1] not in _WRAPPERS, pair[0][len(path)] not in _WRAPPERS))
    return path, None


def is_row(value: Mapping[str, object]) -> bool:
    """Return whether an object is itself a row: it has a text as its answer, and a question or contexts."""
    has_answer = any(isinstance(item, str) and is_known_column(key, only="answer") for key, item in value.items())
    return has_answer and any(
        is_known_column(key, only="question") or is_known_column(key, only="contexts") for key in value
    )


def _transpose(value: Mapping[str, object]) -> Sequence[object] | None:
    """Turn {"question": [...], "answer": [...]}, also with {"0": ..., "1": ...} for lists, into rows."""
    split_columns, split_rows = value.get("columns"), value.get("data")
    if isinstance(split_columns, list) and isinstance(split_rows, list):
        names = [str(column) for column in split_columns]
        return [_split_row(names, row) if isinstance(row, list) else row for row in split_rows]
    if not any(is_known_column(key, only="answer") for key in value):
        return None
    columns: dict[str, Mapping[object, object]] = {}
    for key, item in value.items():
        if isinstance(item, list):
            columns[key] = dict(enumerate(item))
        elif isinstance(item, Mapping):
            columns[key] = dict(item)
        else:
            return None
    lengths = {len(column) for column in columns.values()}
    if len(columns) < 2 or len(lengths) != 1 or lengths == {0}:
        return None
    order = next(iter(columns.values()))
    return [{key: column.get(index) for key, column in columns.items()} for index in order]


def _split_row(names: Sequence[str], values: Sequence[object]) -> object:
    """Return a row of values under the names of their columns; an error instead of one with more values."""
    if len(values) > len(names):
        return ValueError(f"the row has {len(values)} values and the file {len(names)} columns")
    return dict(zip(names, values, strict=False))


def _rows_by_key(value: Mapping[str, object]) -> Sequence[object] | None:
    """Turn {"id-1": {"question": ...}, ...} into rows; the name becomes the "key" of a row without one."""
    rows = [item for item in value.values() if isinstance(item, Mapping)]
    if len(rows) != len(value) or not all(is_row(row) for row in rows):
        return None
    return [{"key": key, **row} for key, row in zip(value, rows, strict=True)]


_BLOCK_CHARACTERS = 1 << 18
_LINES_TO_CHECK = 20
_SPACE = " \t\n\r"


def open_json(source: Source, encoding: Encoding) -> Table:
    """Open JSON Lines (read line by line), a JSON list (item by item) or an object around the rows (all at once).

    Raises:
        UnreadableFile: the JSON is truncated, malformed or without rows.
    """
    with open_text(source, encoding.codec, newline="\n") as stream:
        starts_list = _first_character(stream) == "["
    if not starts_list and _is_json_lines(source, encoding):
        return build_table(
            source,
            file_format="jsonl",
            unit="line",
            read=lambda: _read_lines(source, encoding),
            warnings=encoding.warnings,
        )
    if starts_list and _begins_with_objects(source, encoding):
        # One pass before the first row is used, so a truncated file is refused before anything is stored.
        for _ in _read_list(source, encoding):
            pass
        return build_table(
            source,
            file_format="json",
            unit="row",
            read=lambda: _read_list(source, encoding),
            warnings=encoding.warnings,
        )
    loaded = _load(source, encoding)
    located = find_rows(loaded, name=source.name)
    return build_table(
        source,
        file_format="json",
        unit="row",
        read=lambda: (_as_row(number, item, "row") for number, item in enumerate(located.rows, start=1)),
        warnings=encoding.warnings,
        notes=[located.note] if located.note else [],
        document=loaded if isinstance(loaded, Mapping) else None,
    )


def starts_like_json(source: Source, encoding: Encoding) -> bool:
    """Return whether the first character starts a JSON object or list."""
    with open_text(source, encoding.codec, newline="\n") as stream:
        return _first_character(stream) in ("{", "[")


def _first_character(stream: TextIO) -> str:
    while block := stream.read(4096):
        if start := block.lstrip(_SPACE):
            return start[0]
    return ""


def _is_json_lines(source: Source, encoding: Encoding) -> bool:
    """Return whether each line is an object, ignoring single broken lines."""
    with open_text(source, encoding.codec, newline="\n") as stream:
        lines = list(islice((line for _, line in lines_of(stream) if line.strip()), _LINES_TO_CHECK))
    objects = [value if isinstance(value := _try_load(line), dict) else None for line in lines]
    if len(lines) == 1 and objects[0] is not None:
        return not find_rows(objects[0], name=source.name).is_wrapped
    # A complete first line cannot be the start of a larger object.
    return objects[0] is not None or 2 * sum(value is not None for value in objects) >= len(lines)


def _begins_with_objects(source: Source, encoding: Encoding) -> bool:
    """Return whether the list can be read item by item: its first item is an object."""
    with open_text(source, encoding.codec, newline="\n") as stream:
        start = stream.read(_BLOCK_CHARACTERS).lstrip(_SPACE)
    return start[1:].lstrip(_SPACE).startswith("{")


def _try_load(text: str) -> object:
    try:
        return load_json(text)
    except ValueError:
        return None


def _load(source: Source, encoding: Encoding) -> object:
    most = current().document
    with open_text(source, encoding.codec, newline="\n") as stream:
        text = stream.read(most + 1)
    if len(text) > most:
        raise UnreadableFile(
            f"{source.name} is one JSON value of more than {most:,} characters; write a list or JSON Lines, which are "
            f"read row by row; {hint('document')}."
        )
    try:
        return load_document(text)
    except json.JSONDecodeError as error:
        raise UnreadableFile(_broken(source.name, error.msg, error.lineno, error.colno)) from error
    except ValueError as error:
        raise UnreadableFile(f"{source.name} cannot be read as JSON: {error}.") from error


def _broken(name: str, what: str, line: int, column: int) -> str:
    return f"{name} is broken or truncated JSON: {what} at line {line}, column {column}."


def _read_lines(source: Source, encoding: Encoding) -> RawRows:
    with open_text(source, encoding.codec, newline="\n") as stream:
        for number, line in lines_of(stream):
            if not line.strip():
                continue
            reason = ""
            item: object = None
            if len(line) > current().line:
                reason = f"the line has more than {current().line:,} characters; {hint('line')}"
            else:
                try:
                    item = load_json(line)
                except json.JSONDecodeError as error:
                    reason = f"the line is not JSON ({error.msg} at column {error.colno})"
                except ValueError as error:
                    reason = f"the line cannot be read as JSON ({error})"
            if reason:
                yield RowProblem(line=number, reason=reason, preview=preview_of(line), unit="line")
            else:
                yield _as_row(number, item, "line")


def _read_list(source: Source, encoding: Encoding) -> RawRows:
    with open_text(source, encoding.codec, newline="\n") as stream:
        for number, item in enumerate(_stream_list(stream, source.name), start=1):
            yield _as_row(number, item, "row")


def _stream_list(stream: TextIO, name: str) -> Iterator[object]:
    """Yield the items of a JSON list, keeping one item and one block of text in memory; a bad one is a ValueError."""
    text = _Window(stream)
    text.skip_space()
    text.skip(1)  # the opening bracket
    text.skip_space()
    mark = text.peek()
    if mark == "]":
        text.skip(1)
    while mark != "]":
        yield _take_item(text, name)
        text.skip_space()
        mark = text.peek()
        if mark not in (",", "]"):
            what = "the list ends early" if not mark else "Expecting ',' delimiter"
            raise UnreadableFile(_broken(name, what, *text.place_of(text.at)))
        text.skip(1)
        text.skip_space()
    text.skip_space()
    if text.peek():
        raise UnreadableFile(_broken(name, "Extra data", *text.place_of(text.at)))


def _take_item(text: "_Window", name: str) -> object:
    """Return the item at this place and go past it; an unreadable one is returned as a ValueError."""
    most = current().line
    # Most items end within the window; for the others, retry with twice as much text.
    while True:
        try:
            item, end = load_item(text.buffer, text.at)
        except json.JSONDecodeError as error:
            place = text.place_of(error.pos)
            if text.unread > most:
                raise UnreadableFile(
                    f"{name} has an item of more than {most:,} characters, or a text that never ends, at line "
                    f"{text.place_of(text.at)[0]}; {hint('line')}."
                ) from error
            if not text.extend():
                raise UnreadableFile(_broken(name, error.msg, *place)) from error
        except ValueError as error:
            found = find_end(text.buffer, text.at)
            if found is not None:
                text.skip(found - text.at)
                return error
            if text.unread > most or not text.extend():
                raise UnreadableFile(f"{name} cannot be read as JSON: {error}.") from error
        else:
            text.skip(end - text.at)
            return item


class _Window:
    """The part of a text that is being parsed, and its place in the text."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = 1
        self._column = 1
        self.buffer = ""
        self.at = 0

    @property
    def unread(self) -> int:
        """The number of unparsed characters in the buffer."""
        return len(self.buffer) - self.at

    def peek(self) -> str:
        """Return the next character, "" at the end."""
        if self.at >= len(self.buffer):
            self.extend()
        return self.buffer[self.at : self.at + 1]

    def skip(self, count: int) -> None:
        if self.at + count > len(self.buffer):
            self.extend()
        self.at += count

    def skip_space(self) -> None:
        while (character := self.peek()) and character in _SPACE:
            self.at += 1

    def extend(self) -> bool:
        """Drop the parsed text and double the rest (by at least a block); return False at the end."""
        self._line, self._column = self.place_of(self.at)
        self.buffer = self.buffer[self.at :]
        self.at = 0
        more = self._stream.read(max(_BLOCK_CHARACTERS, len(self.buffer)))
        self.buffer += more
        return bool(more)

    def place_of(self, position: int) -> tuple[int, int]:
        """Return the line and column of a position in the buffer, from 1."""
        line = self._line + self.buffer.count("\n", 0, position)
        last_break = self.buffer.rfind("\n", 0, position)
        return line, (self._column + position if last_break < 0 else position - last_break)


def _as_row(number: int, item: object, unit: str) -> RawRow | RowProblem:
    if isinstance(item, Mapping):
        limits = current()
        if limits.are_levels_too_many(item):
            reason = f"the row nests more than {limits.levels:,} levels deep"
            return RowProblem(line=number, reason=reason, unit="line" if unit == "line" else "row")
        return RawRow(number, {str(key): value for key, value in item.items()})
    if isinstance(item, ValueError):
        return RowProblem(line=number, reason=str(item), unit="line" if unit == "line" else "row")
    reason = f"the row is a {type(item).__name__} instead of an object with named fields"
    return RowProblem(line=number, reason=reason, preview=preview_of(item), unit="line" if unit == "line" else "row")
