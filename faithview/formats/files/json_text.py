"""JSON Lines and JSON, recognised by content."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TextIO

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.encoding import Encoding
from faithview.formats.files.json_shapes import find_rows
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.source import Source
from faithview.formats.files.tables import RawRow, RawRows, Table, build_table, open_text

_BLOCK_CHARACTERS = 1 << 18
_LINES_TO_CHECK = 20
_SPACE = " \t\n\r"


def open_json(source: Source, encoding: Encoding) -> Table:
    """Open JSON Lines (read line by line), a JSON list (item by item) or an object around the rows (in one go).

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
    if starts_list and _is_list_of_objects(source, encoding):
        # One pass before the first row is used, so that a truncated file is refused before anything is stored.
        for _ in _read_list(source, encoding):
            pass
        return build_table(
            source,
            file_format="json",
            unit="row",
            read=lambda: _read_list(source, encoding),
            warnings=encoding.warnings,
        )
    located = find_rows(_load(source, encoding), name=source.name)
    return build_table(
        source,
        file_format="json",
        unit="row",
        read=lambda: (_as_row(number, item, "row") for number, item in enumerate(located.rows, start=1)),
        warnings=encoding.warnings,
        notes=[located.note] if located.note else [],
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
    """Return whether there is an object on each line; single broken lines do not count."""
    with open_text(source, encoding.codec, newline="\n") as stream:
        lines = list(islice((line for line in stream if line.strip()), _LINES_TO_CHECK))
    objects = [value if isinstance(value := _try_load(line), dict) else None for line in lines]
    if len(lines) == 1 and objects[0] is not None:
        return not find_rows(objects[0], name=source.name).is_wrapped
    # A first line that is whole cannot be the start of one larger object.
    return objects[0] is not None or 2 * sum(value is not None for value in objects) >= len(lines)


def _is_list_of_objects(source: Source, encoding: Encoding) -> bool:
    """Return whether the list can be read item by item: its first item is an object."""
    with open_text(source, encoding.codec, newline="\n") as stream:
        start = stream.read(_BLOCK_CHARACTERS).lstrip(_SPACE)
    return start[1:].lstrip(_SPACE).startswith("{")


def _try_load(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _load(source: Source, encoding: Encoding) -> object:
    with open_text(source, encoding.codec, newline="\n") as stream:
        try:
            return json.load(stream)
        except json.JSONDecodeError as error:
            raise UnreadableFile(_broken(source.name, error.msg, error.lineno, error.colno)) from error
        except (ValueError, RecursionError) as error:
            raise UnreadableFile(f"{source.name} cannot be read as JSON: {error}.") from error


def _broken(name: str, what: str, line: int, column: int) -> str:
    return f"{name} is broken or truncated JSON: {what} at line {line}, column {column}."


def _read_lines(source: Source, encoding: Encoding) -> RawRows:
    with open_text(source, encoding.codec, newline="\n") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                item = json.loads(line)
            except json.JSONDecodeError as error:
                reason = f"the line is not JSON ({error.msg} at column {error.colno})"
                yield RowProblem(line=number, reason=reason, preview=preview_of(line), unit="line")
            except (ValueError, RecursionError) as error:
                reason = f"the line cannot be read as JSON ({error})"
                yield RowProblem(line=number, reason=reason, preview=preview_of(line), unit="line")
            else:
                yield _as_row(number, item, "line")


def _read_list(source: Source, encoding: Encoding) -> RawRows:
    with open_text(source, encoding.codec, newline="\n") as stream:
        for number, item in enumerate(_items(stream, source.name), start=1):
            yield _as_row(number, item, "row")


def _items(stream: TextIO, name: str) -> Iterator[object]:
    """Yield the items of a JSON list, holding one item and one block of text at a time."""
    decode = json.JSONDecoder().raw_decode
    text = _Window(stream)
    text.skip_space()
    text.skip(1)  # the opening bracket
    text.skip_space()
    if text.peek() == "]":
        text.skip(1)
    else:
        while True:
            # Most items end within the window; for the others, try again with twice as much text.
            while True:
                try:
                    item, end = decode(text.buffer, text.at)
                except json.JSONDecodeError as error:
                    place = text.place_of(error.pos)
                    if text.extend():
                        continue
                    raise UnreadableFile(_broken(name, error.msg, *place)) from error
                except (ValueError, RecursionError) as error:
                    raise UnreadableFile(f"{name} cannot be read as JSON: {error}.") from error
                break
            yield item
            text.skip(end - text.at)
            text.skip_space()
            mark = text.peek()
            if mark not in (",", "]"):
                what = "the list ends early" if not mark else "Expecting ',' delimiter"
                raise UnreadableFile(_broken(name, what, *text.place_of(text.at)))
            text.skip(1)
            if mark == "]":
                break
            text.skip_space()
    text.skip_space()
    if text.peek():
        raise UnreadableFile(_broken(name, "Extra data", *text.place_of(text.at)))


class _Window:
    """The part of a text that is being parsed, and its place in the text."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = 1
        self._column = 1
        self.buffer = ""
        self.at = 0

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
        """Drop what has been parsed and double the rest (by at least a block); return False at the end."""
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
        return RawRow(number, {str(key): value for key, value in item.items()})
    reason = f"the row is a {type(item).__name__} instead of an object with named fields"
    return RowProblem(line=number, reason=reason, preview=preview_of(item), unit="line" if unit == "line" else "row")
