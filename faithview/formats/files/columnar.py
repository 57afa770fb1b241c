"""Parquet files and Excel workbooks."""

import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, zip_longest
from typing import Any

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.source import Source
from faithview.formats.files.tables import (
    RawRow,
    RawRows,
    Table,
    read_header,
    unique_names,
)
from faithview.formats.limits import check_unpacked

_ROWS_A_BATCH = 64
_BUFFER_BYTES = 1 << 20
_ROWS_FOR_HEADER = 20
# Excel cuts off longer texts silently.
XLSX_CELL_CHARACTERS = 32_767
_XLSX_ROWS = 1_048_576
# Exceptions of zipfile, zlib, the XML parser (SyntaxError) and openpyxl for a damaged workbook.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    SyntaxError,
    RuntimeError,
)


def open_parquet(source: Source) -> Table:
    """Open a parquet file; it is read in batches of rows.

    Raises:
        UnreadableFile: the file is damaged, truncated, has no rows or unpacks to more than any real file.
    """
    with _parquet(source) as file:
        groups = (file.metadata.row_group(number).total_byte_size for number in range(file.num_row_groups))
        check_unpacked(source.name, packed=source.size, unpacked=sum(groups))
        columns = unique_names(file.schema_arrow.names)
    table = Table(name=source.name, format=source.format_of("parquet"), source=source)
    return table.with_rows(lambda: _read_parquet(source, columns), columns=columns)


@contextmanager
def _parquet(source: Source) -> Iterator[Any]:
    import pyarrow
    import pyarrow.parquet

    try:
        with source.open() as stream:
            # Read in pieces; otherwise a whole row group is read ahead.
            yield pyarrow.parquet.ParquetFile(stream, pre_buffer=False, buffer_size=_BUFFER_BYTES)
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        raise UnreadableFile(
            f"{source.name} is a damaged or truncated parquet file ({_first_line(error)}); get the whole file."
        ) from error


def _read_parquet(source: Source, columns: Sequence[str]) -> RawRows:
    number = 0
    with _parquet(source) as file:
        # One call for each row group: a call for all of them keeps every group in memory (twice as much for 170 MB).
        for group in range(file.num_row_groups):
            for batch in file.iter_batches(batch_size=_ROWS_A_BATCH, row_groups=[group]):
                for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    number += 1
                    yield RawRow(number, dict(zip(columns, cells, strict=True)))


def open_xlsx(source: Source) -> Table:
    """Open the first sheet that is not empty; its first row with two known names, else its first row, is the header.

    Raises:
        UnreadableFile: the workbook is damaged or empty.
    """
    with _workbook(source) as book:
        first = {sheet.title: list(islice(_rows_of(source, sheet), _ROWS_FOR_HEADER)) for sheet in book.worksheets}
    title, *others = [title for title, rows in first.items() if rows] or [None]
    if title is None:
        raise UnreadableFile(f"{source.name} is a workbook with empty sheets only.")
    records = [cells for _, cells in first[title]]
    at, columns, notes = read_header(records)
    notes += [f"Only the sheet {title!r} was read, not {', '.join(map(repr, others))}."] if others else []
    table = Table(name=source.name, format=source.format_of("xlsx"), notes=tuple(notes), source=source)
    return table.with_rows(lambda: _read_xlsx(source, title, columns, after=first[title][at][0]), columns=columns)


@contextmanager
def _workbook(source: Source) -> Iterator[Any]:
    import openpyxl

    try:
        with source.open() as stream:
            # It warns about styles and extensions, which have no values.
            warnings.filterwarnings("ignore", category=UserWarning, module="openpyxl")
            yield openpyxl.load_workbook(stream, read_only=True, data_only=True)
    except _DAMAGE as error:
        raise UnreadableFile(
            f"{source.name} is a damaged Excel workbook ({_first_line(error)}); save it again."
        ) from error


def _rows_of(source: Source, sheet: Any) -> Iterator[tuple[int, Sequence[object]]]:
    """Yield the rows that are not empty with their numbers, without the empty cells at their ends."""
    # Some programs write a wrong sheet size, which openpyxl would trust.
    sheet.reset_dimensions()
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        if number > _XLSX_ROWS:  # openpyxl makes the rows that the file skips, however many
            raise UnreadableFile(f"{source.name} numbers its rows beyond the {_XLSX_ROWS:,} of a sheet.")
        filled = max((at for at, cell in enumerate(cells, start=1) if cell is not None), default=0)
        if filled:
            yield number, cells[:filled]


def _read_xlsx(source: Source, title: str, columns: Sequence[str], *, after: int) -> RawRows:
    from openpyxl.utils.escape import unescape

    with _workbook(source) as book:
        for number, cells in _rows_of(source, book[title]):
            if number <= after:
                continue
            if len(cells) > len(columns):
                reason = f"the row has {len(cells)} cells, the header has {len(columns)}"
                yield RowProblem(line=number, reason=reason, preview=preview_of(cells))
                continue
            # Excel writes a carriage return or another control character as "_x000D_".
            filled = [unescape(cell) if isinstance(cell, str) and "_x" in cell else cell for cell in cells]
            yield RawRow(number, dict(zip_longest(columns, filled)))


def _first_line(error: Exception) -> str:
    """Return the first sentence of the library's message, without its full stop."""
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return line.partition(". ")[0].strip("\"'. ")
