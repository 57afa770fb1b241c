"""Comma-separated values and other delimited text, read row by row."""

import csv
import io
import re
from itertools import islice

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.aliases import is_known_column
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.source import Encoding, Source
from faithview.formats.files.tables import (
    RawRow,
    RawRows,
    Table,
    find_header,
    lines_of,
    open_text,
    read_header,
)
from faithview.formats.limits import LINE

DELIMITERS = (",", ";", "\t", "|")
_SNIFF_RECORDS = 40
# Excel writes a first line "sep=;", and reads it.
_EXCEL_HINT = re.compile(r"sep=(.?)")


def open_delimited(source: Source, encoding: Encoding) -> Table:
    """Open delimited text; the delimiter is the one with which the header has the most known and the most names.

    Raises:
        UnreadableFile: the file has no header line or no rows, or a quote in it is never closed.
    """
    # The csv module refuses cells above 128 KB by default.
    csv.field_size_limit(max(csv.field_size_limit(), LINE))
    text = source.start(encoding.codec)
    hint = _EXCEL_HINT.match(text)
    delimiter = hint[1] if hint and hint[1] else max(DELIMITERS, key=lambda one: _rank(_first_records(text, one)))
    records = _first_records(text, delimiter)
    if not records:
        raise UnreadableFile(f"{source.name} has no header line that can be read; is a quote in it never closed?")
    at, columns, notes = read_header(records)
    notes += [] if delimiter in ",\t" else [f"Cells are separated by {delimiter!r}."]
    table = Table(
        name=source.name,
        format=source.format_of("tsv" if delimiter == "\t" else "csv"),
        warnings=encoding.warnings,
        notes=tuple(notes),
        source=source,
    )
    return table.with_rows(
        lambda: _read_rows(source, encoding, delimiter, columns, after=at + 1), unit="line", columns=columns
    )


def _first_records(text: str, delimiter: str) -> list[list[str]]:
    """Return the first records that are not empty, up to one that cannot be read."""
    records: list[list[str]] = []
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        for cells in islice(filter(_is_record, reader), _SNIFF_RECORDS):
            records.append(cells)
    except csv.Error:
        pass  # the rows are read again, and the error is then reported with its line
    return records


def _is_record(cells: list[str]) -> bool:
    return any(cell.strip() for cell in cells) and not _EXCEL_HINT.fullmatch("".join(cells))


def _rank(records: list[list[str]]) -> tuple[int, float, int]:
    """Rank a delimiter by the known names in the header, the share of records as wide as it, and its width."""
    if not records:
        return (0, 0.0, 0)
    header, *body = records[find_header(records) :]
    if len(header) == 1:
        return (0, 0.0, 1)
    even = sum(len(cells) == len(header) for cells in body) / max(1, len(body))
    return (sum(map(is_known_column, header)), even, len(header))


def _read_rows(source: Source, encoding: Encoding, delimiter: str, columns: tuple[str, ...], *, after: int) -> RawRows:
    """Yield the rows below the first `after` records: the header and the title above it."""
    with open_text(source, encoding.codec, newline="") as stream:
        # Strict, because otherwise an unclosed quote silently swallows the following rows.
        reader = csv.reader(lines_of(stream, source.name), delimiter=delimiter, strict=True)
        while True:
            line = reader.line_num + 1
            reason, cells = "", []
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                if "expected after" not in str(error):
                    raise UnreadableFile(
                        f"{source.name}: a quote that opens in line {line} is never closed, so the rows from there on "
                        'cannot be told apart. Close it, or write a quote inside a cell as "".'
                    ) from error
                reason = 'a closing quote is followed by more text; a quote within a quoted cell is written ""'
            if after or not (cells or reason):
                after -= _is_record(cells)
                continue
            if cells and len(cells) != len(columns):
                count = f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
                reason = f"the row has {count}, the header has {len(columns)}"
            if reason:
                to = f" (it runs to line {reader.line_num})" if reader.line_num > line else ""
                yield RowProblem(line=line, reason=reason + to, preview=preview_of(delimiter.join(cells)), unit="line")
            else:
                yield RawRow(line, dict(zip(columns, cells, strict=True)))
