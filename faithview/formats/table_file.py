"""Any table as a file, or as the bytes of one: CSV, JSON Lines, or parquet with typed columns."""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from faithview.domain.arguments import require_packages
from faithview.domain.errors import InvalidInput
from faithview.domain.private_file import private
from faithview.formats.run_export import EXPORT_FORMATS, ExportFormat, as_safe_cell

# Text, a number, a bool, a time or None; or lists and mappings of these.
Cell: TypeAlias = object
TableRow: TypeAlias = Mapping[str, Cell]

_INT64 = 2**63
_ROWS_A_BATCH = 5_000
_CHARACTERS_A_BATCH = 16_000_000


def table_bytes(rows: Iterable[TableRow], *, format: ExportFormat, columns: Sequence[str] | None = None) -> bytes:
    """Return a table as the bytes of a file.

    In CSV an apostrophe is put before a text or column name that a spreadsheet would run as a formula; numbers stay
    numbers. A missing value or NaN is empty in CSV and null elsewhere. Times are ISO 8601; lists and mappings are JSON
    text in CSV and parquet.

    Args:
        rows: mappings of column names to values; a column that a row lacks is empty there.
        format: "csv", "jsonl" or "parquet".
        columns: the columns in order; None for all that occur, in order of appearance.

    Raises:
        InvalidInput: the format is unknown.
    """
    listed = list(rows)
    stream = io.BytesIO()
    _write(lambda: listed, stream, format=format, columns=columns)
    return stream.getvalue()


def write_table_file(rows: Callable[[], Iterable[TableRow]], path: Path, *, format: ExportFormat) -> int:
    """Write a table of any length to a path where no file exists yet, and return how many rows it has.

    The file is the same as from `table_bytes`, but only some of the rows are in memory at once.

    Args:
        rows: starts a pass over the rows. There are two, which must yield the same rows: the first one finds the
        columns.
        path: the file.
        format: "csv", "jsonl" or "parquet".

    Raises:
        InvalidInput: the format is unknown, or the second pass yields more or fewer rows than the first.
    """
    with open(path, "xb", opener=private) as stream:
        return _write(rows, stream, format=format, columns=None)


def _write(
    rows: Callable[[], Iterable[TableRow]], stream: BinaryIO, *, format: ExportFormat, columns: Sequence[str] | None
) -> int:
    writers: dict[str, Callable[[Iterator[_Cells], _Columns, BinaryIO], int]] = {
        "csv": _write_csv,
        "jsonl": _write_jsonl,
        "parquet": _write_parquet,
    }
    if format not in writers:
        raise InvalidInput(f"There is no export format {format!r}; known are {', '.join(EXPORT_FORMATS)}.")
    found: _Columns = {} if columns is None else {name: _Column() for name in columns}
    looked_at = None
    if columns is None or format == "parquet":
        looked_at = 0
        for row in rows():
            looked_at += 1
            for name in row if columns is None else found:
                found.setdefault(name, _Column()).see(_plain(row.get(name)))
    count = writers[format](({name: _plain(row.get(name)) for name in found} for row in rows()), found, stream)
    if looked_at not in (None, count):
        raise InvalidInput(f"Of {looked_at:,} rows {count:,} were left while they were written; write the file again.")
    return count


@dataclass(slots=True)
class _Column:
    """The types of a column's cells, without missing ones.

    Their types, whether all are points in time, and whether every whole number fits into 64 bits.
    """

    kinds: set[type] = field(default_factory=set)
    are_times: bool = True
    has_room: bool = True

    def see(self, value: Any) -> None:
        """Note one cell."""
        if value is None:
            return
        self.kinds.add(type(value))
        self.are_times = self.are_times and isinstance(value, datetime) and value.tzinfo is not None
        self.has_room = self.has_room and not (isinstance(value, int) and not -_INT64 <= value < _INT64)


_Cells: TypeAlias = dict[str, Any]
_Columns: TypeAlias = dict[str, _Column]


def _plain(value: Cell) -> Any:
    """Return a value of a JSON type; times are kept, because parquet has a type for them."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, date):
        return value if value == value else None  # NaT, pandas' missing time, is not equal to itself
    if isinstance(value, str):
        return str(value)  # a StrEnum is written as its text
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): _with_iso_dates(_plain(item)) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_with_iso_dates(_plain(item)) for item in value]
    return str(value)


def _with_iso_dates(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _flat(value: Any) -> Any:
    return _json(value) if isinstance(value, list | dict) else _with_iso_dates(value)


def _write_jsonl(rows: Iterator[_Cells], _columns: _Columns, stream: BinaryIO) -> int:
    count = 0
    for row in rows:
        count += 1
        stream.write(f"{_json({name: _with_iso_dates(value) for name, value in row.items()})}\n".encode())
    return count


def _write_csv(rows: Iterator[_Cells], columns: _Columns, stream: BinaryIO) -> int:
    count = 0
    # Without a byte order mark Excel reads UTF-8 as the system's legacy encoding.
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
    writer = csv.writer(text)
    writer.writerow([as_safe_cell(name) for name in columns])
    for row in rows:
        count += 1
        writer.writerow([_csv_cell(_flat(value)) for value in row.values()])
    text.detach()  # writes the rest, and leaves the stream open
    return count


def _csv_cell(value: Any) -> Any:
    return as_safe_cell(value) if isinstance(value, str) else value


def _write_parquet(rows: Iterator[_Cells], columns: _Columns, stream: BinaryIO) -> int:
    require_packages("pyarrow", purpose="Writing parquet")
    import pyarrow
    import pyarrow.parquet

    writers = {name: _typed(column) for name, column in columns.items()}
    schema = pyarrow.schema([pyarrow.field(name, kind) for name, (kind, _) in writers.items()])
    count = 0
    with pyarrow.parquet.ParquetWriter(stream, schema, compression="zstd") as file:
        for batch in _batches(rows):
            arrays = [
                pyarrow.array([None if row[name] is None else convert(row[name]) for row in batch], type=kind)
                for name, (kind, convert) in writers.items()
            ]
            file.write_batch(pyarrow.RecordBatch.from_arrays(arrays, schema=schema))
            count += len(batch)
    return count


def _batches(rows: Iterator[_Cells]) -> Iterator[list[_Cells]]:
    """Yield rows in batches that fit into memory, avoiding batches of one row."""
    batch: list[_Cells] = []
    characters = 0
    for row in rows:
        batch.append(row)
        characters += sum(_size(value) for value in row.values())
        if len(batch) >= _ROWS_A_BATCH or characters >= _CHARACTERS_A_BATCH:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _size(value: Any) -> int:
    """Return the approximate number of characters of the texts in a cell."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list) else 0


def _typed(column: _Column) -> tuple[Any, Callable[[Any], Any]]:
    """Return a column's type, and a function that converts values to it; text if the values have no common type."""
    import pyarrow

    kinds = column.kinds
    if kinds == {bool}:
        return pyarrow.bool_(), bool
    if kinds == {int} and column.has_room:
        return pyarrow.int64(), int
    if kinds and kinds <= {int, float} and column.has_room:
        return pyarrow.float64(), float
    if kinds and column.are_times:
        return pyarrow.timestamp("us", tz="UTC"), lambda moment: moment.astimezone(UTC)
    return pyarrow.string(), _as_text


def _as_text(value: Any) -> str:
    flat = _flat(value)
    return flat if isinstance(flat, str) else _json(flat)
