"""Parquet files and Excel workbooks."""

import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.source import Source
from faithview.formats.files.tables import RawRow, RawRows, Table, build_table, unique_names

_ROWS_A_BATCH = 256
# Excel cuts off longer texts silently.
XLSX_CELL_CHARACTERS = 32_767
# What zipfile, zlib, the XML parser (SyntaxError) and openpyxl raise for a damaged workbook.
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
        UnreadableFile: the file is damaged, cut short or has no rows.
    """
    with source.open_seekable() as stream:
        columns = tuple(_parquet(source, stream).schema_arrow.names)
    return build_table(
        source, file_format="parquet", unit="row", read=lambda: _read_parquet(source), columns=unique_names(columns)
    )


def open_xlsx(source: Source) -> Table:
    """Open the first sheet that is not empty; its first row that is not empty names the columns.

    Raises:
        UnreadableFile: the workbook is damaged or empty.
    """
    with source.open_seekable() as stream:
        book = _workbook(source, stream)
        try:
            filled = [sheet for sheet in book.worksheets if _header_of(source, sheet) is not None]
            if not filled:
                raise UnreadableFile(f"{source.name} is a workbook with empty sheets only.")
            title = filled[0].title
            _, columns = _header_of(source, filled[0]) or (0, ())
            others = [sheet.title for sheet in filled[1:]]
        finally:
            book.close()
    notes = [f"Only the sheet {title!r} was read, not {', '.join(map(repr, others))}."] if others else []
    return build_table(
        source,
        file_format="xlsx",
        unit="row",
        read=lambda: _read_xlsx(source, title, columns),
        columns=columns,
        notes=notes,
    )


def _parquet(source: Source, stream: BinaryIO) -> Any:
    import pyarrow
    import pyarrow.parquet

    try:
        return pyarrow.parquet.ParquetFile(stream)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableFile(f"{source.name} is a damaged or truncated parquet file: {_first_line(error)}") from error


def _read_parquet(source: Source) -> RawRows:
    import pyarrow

    with source.open_seekable() as stream:
        file = _parquet(source, stream)
        names = unique_names(file.schema_arrow.names)
        number = 0
        batches = _batches(file)
        while True:
            try:
                batch = next(batches, None)
                columns = [column.to_pylist() for column in batch.columns] if batch is not None else []
            except (pyarrow.ArrowException, OSError, ValueError) as error:
                raise UnreadableFile(f"{source.name} is damaged after row {number}: {_first_line(error)}") from error
            if batch is None:
                return
            for cells in zip(*columns, strict=True):
                number += 1
                yield RawRow(number, dict(zip(names, cells, strict=True)))


def _batches(file: Any) -> Iterator[Any]:
    # One call for each row group: a call for all of them keeps every group in memory (twice as much for 170 MB).
    for group in range(file.num_row_groups):
        yield from file.iter_batches(batch_size=_ROWS_A_BATCH, row_groups=[group])


def _workbook(source: Source, stream: BinaryIO) -> Any:
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with warnings.catch_warnings():
            # Warnings about styles and extensions, which hold no values.
            warnings.simplefilter("ignore", UserWarning)
            return openpyxl.load_workbook(stream, read_only=True, data_only=True)
    except (InvalidFileException, *_DAMAGE) as error:
        raise UnreadableFile(f"{source.name} is a damaged Excel workbook: {_first_line(error)}") from error


def _rows_of(source: Source, sheet: Any) -> Any:
    # Some programs write a wrong sheet size, which openpyxl would trust.
    sheet.reset_dimensions()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            yield from sheet.iter_rows(values_only=True)
    except _DAMAGE as error:
        raise UnreadableFile(f"{source.name} is a damaged Excel workbook: {_first_line(error)}") from error


def _header_of(source: Source, sheet: Any) -> tuple[int, tuple[str, ...]] | None:
    for number, cells in enumerate(_rows_of(source, sheet), start=1):
        filled = _without_empty_end(cells)
        if filled:
            return number, unique_names("" if cell is None else str(cell) for cell in filled)
    return None


def _read_xlsx(source: Source, title: str, columns: Sequence[str]) -> RawRows:
    with source.open_seekable() as stream:
        book = _workbook(source, stream)
        try:
            has_header = False
            for number, cells in enumerate(_rows_of(source, book[title]), start=1):
                filled = _without_empty_end(cells)
                if not filled:
                    continue
                if not has_header:
                    has_header = True
                elif len(filled) > len(columns):
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
