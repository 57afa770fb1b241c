"""Any table as the bytes of a file: CSV, JSON Lines, or parquet with typed columns."""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, TypeAlias

from faithview.domain.errors import InvalidInput
from faithview.formats.export import EXPORT_FORMATS, ExportFormat, as_safe_cell

# Text, a number, a bool, a time or None; or lists and mappings of these.
Cell: TypeAlias = object
TableRow: TypeAlias = Mapping[str, Cell]

_INT64 = 2**63


def table_bytes(rows: Iterable[TableRow], *, format: ExportFormat, columns: Sequence[str] | None = None) -> bytes:
    """Return a table as the bytes of a file.

    In CSV an apostrophe goes in front of a text or column name that a spreadsheet would run as a formula; numbers stay
    numbers. A missing value or NaN is empty in CSV and null elsewhere. Times are ISO 8601; lists and mappings are JSON
    text in CSV and parquet.

    Args:
        rows: mappings of column names to values; a column that a row lacks is empty there.
        format: "csv", "jsonl" or "parquet".
        columns: the columns in order; None for all that occur, in order of appearance.

    Raises:
        InvalidInput: the format is unknown.
    """
    writers: dict[str, Callable[[list[TableRow], Sequence[str]], bytes]] = {
        "csv": _csv,
        "jsonl": _jsonl,
        "parquet": _parquet,
    }
    if format not in writers:
        raise InvalidInput(f"There is no export format {format!r}; known are {', '.join(EXPORT_FORMATS)}.")
    listed = list(rows)
    names = list(columns) if columns is not None else list(dict.fromkeys(name for row in listed for name in row))
    return writers[format]([{name: _plain(row.get(name)) for name in names} for row in listed], names)


def _plain(value: Cell) -> Any:
    """Return a value of a JSON type; times stay times, because parquet has a type for them."""
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


def _jsonl(rows: list[TableRow], columns: Sequence[str]) -> bytes:
    return "".join(f"{_json({name: _with_iso_dates(row[name]) for name in columns})}\n" for row in rows).encode()


def _csv(rows: list[TableRow], columns: Sequence[str]) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow([as_safe_cell(name) for name in columns])
    writer.writerows([_csv_cell(_flat(row[name])) for name in columns] for row in rows)
    # Without a byte order mark Excel reads UTF-8 as the system's legacy encoding.
    return stream.getvalue().encode("utf-8-sig")


def _csv_cell(value: Any) -> Any:
    return as_safe_cell(value) if isinstance(value, str) else value


def _parquet(rows: list[TableRow], columns: Sequence[str]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    arrays, fields = [], []
    for name in columns:
        values = [row[name] for row in rows]
        kind, values = _typed(values)
        arrays.append(pyarrow.array(values, type=kind))
        fields.append(pyarrow.field(name, kind))
    stream = io.BytesIO()
    pyarrow.parquet.write_table(
        pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields)), stream, compression="zstd"
    )
    return stream.getvalue()


def _typed(values: list[Any]) -> tuple[Any, list[Any]]:
    """Return a column's type and its values in that type; text if the values have no type in common."""
    import pyarrow

    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pyarrow.bool_(), values
    has_room = all(-_INT64 <= value < _INT64 for value in values if isinstance(value, int))
    if kinds == {int} and has_room:
        return pyarrow.int64(), values
    if kinds and kinds <= {int, float} and has_room:
        return pyarrow.float64(), [None if value is None else float(value) for value in values]
    times = [value for value in values if isinstance(value, datetime)]
    if times and len(times) == sum(value is not None for value in values) and all(t.tzinfo for t in times):
        return pyarrow.timestamp("us", tz="UTC"), [None if value is None else value.astimezone(UTC) for value in values]
    return pyarrow.string(), [_as_text(value) for value in values]


def _as_text(value: Any) -> str | None:
    if value is None:
        return None
    flat = _flat(value)
    return flat if isinstance(flat, str) else _json(flat)
