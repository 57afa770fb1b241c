"""Comma-separated values and other delimited text, read row by row."""

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import TextIO

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.aliases import is_known_column
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.source import ERRORS, Encoding, Source
from faithview.formats.files.tables import (
    RawRow,
    RawRows,
    Table,
    build_table,
    check_columns,
    find_header,
    lines_of,
    note_title,
    open_text,
    unique_names,
)
from faithview.formats.limits import current, hint

DELIMITERS = (",", ";", "\t", "|")
# Lines are read again after an unclosed quote. In a file full of them that would take very long.
_MOST_READ_AGAIN = 16 << 20
_MOST_TIMES_AGAIN = 20
_NEVER_CLOSED = "a quote is never closed"
_TOO_LONG = "too long"
_SNIFF_RECORDS = 40
_EXCEL_HINT = re.compile(r'"?sep=(.)"?\r?\n?')


def open_delimited(source: Source, encoding: Encoding) -> Table:
    """Open delimited text; the delimiter is the one with which the first records have the same number of cells.

    Raises:
        UnreadableFile: the file has no header line or no rows.
    """
    # The csv module refuses cells above 128 KB by default. There is still a limit, so an unclosed quote cannot pull a
    # whole large file into one cell.
    csv.field_size_limit(max(csv.field_size_limit(), current().line))
    delimiter, title = _find_delimiter(source, encoding)
    with open_text(source, encoding.codec, newline="") as stream:
        columns = unique_names(_read_header(_Lines(stream), delimiter, source.name, after=len(title)))
    check_columns(len(columns), source.name)
    notes = [*note_title(title), *([] if delimiter in ",\t" else [f"Cells are separated by {delimiter!r}."])]
    return build_table(
        source,
        file_format="tsv" if delimiter == "\t" else "csv",
        unit="line",
        read=lambda: _read_rows(source, encoding, delimiter, columns, after=len(title)),
        columns=columns,
        warnings=encoding.warnings,
        notes=notes,
    )


class _Lines:
    """The lines of a stream; the lines of the current record can be put back."""

    def __init__(self, stream: TextIO) -> None:
        self._lines = lines_of(stream)
        self._given_back: list[str] = []
        self._most = current().line
        self._read_again = 0
        self._times = 0
        self.record: list[str] = []
        self.characters = 0
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self.record and self._times > _MOST_TIMES_AGAIN and self._read_again > _MOST_READ_AGAIN:
            raise csv.Error(_NEVER_CLOSED)
        line = self._given_back.pop() if self._given_back else next(self._lines)[1]
        self.record.append(line)
        self.characters += len(line)
        self.number += 1
        if self.characters > self._most:
            raise csv.Error(_TOO_LONG)
        return line

    def start_record(self) -> int:
        """Drop the lines of the last record and return the number of the next line."""
        self.record.clear()
        self.characters = 0
        return self.number + 1

    def give_back(self) -> None:
        """Put back all lines of the record except the first."""
        again = self.record[1:]
        self._read_again += self.characters
        self._times += 1
        self._given_back.extend(reversed(again))
        self.number -= len(again)


def _read_rows(source: Source, encoding: Encoding, delimiter: str, columns: Sequence[str], *, after: int) -> RawRows:
    with open_text(source, encoding.codec, newline="") as stream:
        lines = _Lines(stream)
        _read_header(lines, delimiter, source.name, after=after)
        # Strict, because otherwise an unclosed quote silently swallows the following rows.
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            line = lines.start_record()
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                preview = preview_of(lines.record[0])
                # The error is in the record's first line; the following lines may be separate rows.
                lines.give_back()
                yield RowProblem(line=line, reason=_explain(error), preview=preview, unit="line")
                continue
            if not cells:
                continue
            if len(cells) == len(columns):
                yield RawRow(line, dict(zip(columns, cells, strict=True)))
                continue
            count = f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
            reason = f"the row has {count}, the header has {len(columns)}"
            if len(lines.record) > 1:
                reason += f" (it runs to line {lines.number})"
            yield RowProblem(line=line, reason=reason, preview=preview_of(delimiter.join(cells)), unit="line")


def _read_header(lines: _Lines, delimiter: str, name: str, *, after: int) -> list[str]:
    """Return the header's cells: those of the first non-empty record after `after` records of a title."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells) and not _EXCEL_HINT.fullmatch(lines.record[0]):
                if after == 0:
                    return cells
                after -= 1
            lines.start_record()
    except csv.Error as error:
        raise UnreadableFile(f"The header line of {name} cannot be read: {_explain(error)}.") from error
    raise UnreadableFile(f"{name} has no header line.")


def _explain(error: csv.Error) -> str:
    text = str(error)
    if "unexpected end of data" in text:
        return _NEVER_CLOSED
    if "field limit" in text or text == _TOO_LONG:
        most = current().line
        return f"the row has more than {most:,} characters; probably a quote is not closed; {hint('line')}"
    if "expected after" in text:
        return 'a closing quote is followed by more text; a quote within a quoted cell is written ""'
    return text


def _find_delimiter(source: Source, encoding: Encoding) -> tuple[str, list[list[str]]]:
    """Return the delimiter, and the records of a title above the header."""
    decoder = codecs.getincrementaldecoder(encoding.codec)(ERRORS)
    text = decoder.decode(source.head)
    hint = _EXCEL_HINT.match(text)
    if hint:
        text = text[hint.end() :]
    delimiter = hint[1] if hint else max(DELIMITERS, key=lambda delimiter: _evenness(text, delimiter))
    records = _first_records(text, delimiter)
    return delimiter, records[: find_header(records)]


def _first_records(text: str, delimiter: str) -> list[list[str]]:
    """Return the first non-empty records; none if the text cannot be read."""
    records: list[list[str]] = []
    try:
        for cells in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if any(cell.strip() for cell in cells):
                records.append(cells)
            if len(records) > _SNIFF_RECORDS:
                break
    except csv.Error:
        return []
    return records


def _evenness(text: str, delimiter: str) -> tuple[int, bool, float, int]:
    """Rank a delimiter by known column names, the lack of a title, the share of equally wide records, and the width."""
    records = _first_records(text, delimiter)
    at = find_header(records)
    if not records or len(records[at]) < 2:
        return (0, False, 0.0, 0)
    header, body = records[at], records[at + 1 :]
    even = sum(len(cells) == len(header) for cells in body) / len(body) if body else 0.0
    return (sum(is_known_column(name) for name in header), at == 0, even, len(header))
