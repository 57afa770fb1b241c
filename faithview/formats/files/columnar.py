"""Parquet files and Excel workbooks."""

import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.packed_tables import UnpackedCells, check_footer, check_pages, check_workbook
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.source import Source
from faithview.formats.files.tables import (
    RawRow,
    RawRows,
    Table,
    build_table,
    check_columns,
    find_header,
    note_title,
    unique_names,
)

_ROWS_A_BATCH = 64
_BATCH_BYTES = 64 << 20
_BUFFER_BYTES = 1 << 20
_ROWS_FOR_HEADER = 20
# Excel cuts off longer texts silently.
XLSX_CELL_CHARACTERS = 32_767
_XLSX_ROWS = 1_048_576
_XLSX_COLUMNS = 16_384
_XLSX_CELLS = 200_000_000
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
        UnreadableFile: the file is damaged, truncated or has no rows.
    """
    with source.open_seekable() as stream:
        file = _parquet(source, stream)
        columns = tuple(file.schema_arrow.names)
        check_columns(len(columns), source.name)
        # A text that is stored once and used in every row takes memory in each of them.
        rows = max(1, min(_ROWS_A_BATCH, _BATCH_BYTES // max(1, check_pages(file.metadata, stream, name=source.name))))
    return build_table(
        source,
        file_format="parquet",
        unit="row",
        read=lambda: _read_parquet(source, rows),
        columns=unique_names(columns),
    )


def open_xlsx(source: Source) -> Table:
    """Open the first sheet that is not empty; its first non-empty row names the columns.

    Raises:
        UnreadableFile: the workbook is damaged or empty.
    """
    with source.open_seekable() as stream:
        check_workbook(stream, name=source.name)
        unpacked = UnpackedCells(stream, name=source.name)
        book = _workbook(source, stream)
        try:
            filled = [sheet for sheet in book.worksheets if _header_of(source, sheet, unpacked) is not None]
            if not filled:
                raise UnreadableFile(f"{source.name} is a workbook with empty sheets only.")
            title = filled[0].title
            header = _header_of(source, filled[0], unpacked) or _Header()
            others = [sheet.title for sheet in filled[1:]]
        finally:
            book.close()
    notes = [f"Only the sheet {title!r} was read, not {', '.join(map(repr, others))}."] if others else []
    notes += header.notes
    return build_table(
        source,
        file_format="xlsx",
        unit="row",
        read=lambda: _read_xlsx(source, title, header),
        columns=header.columns,
        notes=notes,
    )


def _parquet(source: Source, stream: BinaryIO) -> Any:
    import pyarrow
    import pyarrow.parquet

    check_footer(stream, name=source.name)
    try:
        # Read in pieces; otherwise a whole row group is read ahead.
        return pyarrow.parquet.ParquetFile(stream, pre_buffer=False, buffer_size=_BUFFER_BYTES)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableFile(f"{source.name} is a damaged or truncated parquet file: {_first_line(error)}") from error


def _read_parquet(source: Source, rows: int) -> RawRows:
    import pyarrow

    with source.open_seekable() as stream:
        file = _parquet(source, stream)
        names = unique_names(file.schema_arrow.names)
        unpacked = UnpackedCells(stream, name=source.name)
        number = 0
        batches = _batches(file, rows)
        while True:
            try:
                batch = next(batches, None)
                columns = [column.to_pylist() for column in batch.columns] if batch is not None else []
            except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
                raise UnreadableFile(f"{source.name} is damaged after row {number}: {_first_line(error)}") from error
            if batch is None:
                return
            for cells in zip(*columns, strict=True):
                number += 1
                unpacked.add(cells)
                yield RawRow(number, dict(zip(names, cells, strict=True)))


def _batches(file: Any, rows: int) -> Iterator[Any]:
    # One call for each row group: a call for all of them keeps every group in memory (twice as much for 170 MB).
    for group in range(file.num_row_groups):
        yield from file.iter_batches(batch_size=rows, row_groups=[group])


def _workbook(source: Source, stream: BinaryIO) -> Any:
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with warnings.catch_warnings():
            # Warnings about styles and extensions, which have no values.
            warnings.simplefilter("ignore", UserWarning)
            return openpyxl.load_workbook(stream, read_only=True, data_only=True)
    except (InvalidFileException, *_DAMAGE) as error:
        raise UnreadableFile(f"{source.name} is a damaged Excel workbook: {_first_line(error)}") from error


def _rows_of(source: Source, sheet: Any, unpacked: UnpackedCells) -> Any:
    # Some programs write a wrong sheet size, which openpyxl would trust.
    sheet.reset_dimensions()
    cells = 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
                cells += len(row)
                # openpyxl creates the rows and cells that the file skips, however many.
                if number > _XLSX_ROWS or len(row) > _XLSX_COLUMNS or cells > _XLSX_CELLS:
                    raise UnreadableFile(
                        f"{source.name} numbers its rows or cells beyond the size of a sheet "
                        f"({_XLSX_ROWS:,} rows of {_XLSX_COLUMNS:,} cells)."
                    )
                unpacked.add(row)
                yield row
    except _DAMAGE as error:
        raise UnreadableFile(f"{source.name} is a damaged Excel workbook: {_first_line(error)}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    """The header row of a sheet, its number, and the notes on a title above it."""

    number: int = 0
    columns: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def _header_of(source: Source, sheet: Any, unpacked: UnpackedCells) -> _Header | None:
    cells_by_row = enumerate(_rows_of(source, sheet, unpacked), start=1)
    rows = ((number, _without_empty_end(cells)) for number, cells in cells_by_row)
    first = list(islice((pair for pair in rows if pair[1]), _ROWS_FOR_HEADER))
    if not first:
        return None
    records = [cells for _, cells in first]
    at = find_header(records)
    number, filled = first[at]
    check_columns(len(filled), source.name)
    columns = unique_names("" if cell is None else str(cell) for cell in filled)
    return _Header(number=number, columns=columns, notes=note_title(records[:at]))


def _read_xlsx(source: Source, title: str, header: _Header) -> RawRows:
    columns = header.columns
    with source.open_seekable() as stream:
        unpacked = UnpackedCells(stream, name=source.name)
        book = _workbook(source, stream)
        try:
            for number, cells in enumerate(_rows_of(source, book[title], unpacked), start=1):
                filled = _without_empty_end(cells)
                if not filled or number <= header.number:
                    continue
                if len(filled) > len(columns):
                    reason = f"the row has {len(filled)} cells, the header has {len(columns)}"
                    yield RowProblem(line=number, reason=reason, preview=preview_of(filled))
                else:
                    yield RawRow(number, {name: _cell(filled, at) for at, name in enumerate(columns)})
        finally:
            book.close()


def _without_empty_end(cells: Sequence[object]) -> Sequence[object]:
    end = len(cells)
    while end and cells[end - 1] is None:
        end -= 1
    return cells[:end]


def _cell(cells: Sequence[object], at: int) -> object:
    from openpyxl.utils.escape import unescape

    value = cells[at] if at < len(cells) else None
    # Excel writes a carriage return or another control character as "_x000D_".
    return unescape(value) if isinstance(value, str) and "_x" in value else value


def _first_line(error: Exception) -> str:
    """Return the library's message as the end of a sentence."""
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return line.strip("\"'. ") + "."
