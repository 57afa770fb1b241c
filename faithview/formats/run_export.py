"""A run's results written to a file: one row per answer, as JSON Lines, CSV or parquet."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from faithview.domain.arguments import require_packages
from faithview.domain.errors import InvalidInput
from faithview.domain.hidden_characters import escape_in_json
from faithview.domain.private_file import private
from faithview.domain.sample import Json

ExportFormat: TypeAlias = Literal["jsonl", "csv", "parquet"]
ExportRow: TypeAlias = Mapping[str, Json]

EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
COLUMNS = (
    "key",
    "question",
    "answer",
    "segment",
    "state",
    "error",
    "faithfulness",
    "chunks",
    "claims",
    "extra",
    "missed_claims",
    "suggestions",
    "metrics",
    "warnings",
    "raw_reply",
    "reference",
    "timestamp",
    "inclusion_probability",
    "view",
    "judge",
    "answer_score",
    "usage",
    "seconds",
    "judge_result",
    "spot_checks",
    "is_faithful",
)
_NESTED = (
    "chunks",
    "claims",
    "missed_claims",
    "extra",
    "suggestions",
    "metrics",
    "warnings",
    "usage",
    "judge_result",
    "spot_checks",
)
_NUMBERS = ("faithfulness", "inclusion_probability", "answer_score", "seconds")
_YES_OR_NO = ("is_faithful",)
_ROWS_A_BATCH = 500
# A spreadsheet runs a cell that begins with one of these as a formula; full-width ones count as well.
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
_FORMULA_START = re.compile(rf"[\t\r]|\s*[{_SIGNS}]")
# A text that already has apostrophes gets one more, so removing one restores it.
_GUARDED_START = re.compile(rf"'*(?:{_FORMULA_START.pattern})")
# With semicolons or tabs as cell separators (in half of Europe, or after pasting), a cell may begin inside a text, and
# quotation marks do not protect it. A minus or plus also begins list items, so it counts only with a call or a
# reference after it.
_INSIDE = r"'*(?:[=@\uff1d\uff20]|[+\-\uff0b\uff0d][^;\t\r\n]*[(|!])"
_FORMULA_INSIDE = re.compile(rf"([;\t\r\n|][ \t]*)(?={_INSIDE})")
_GUARDED_INSIDE = re.compile(rf"([;\t\r\n|][ \t]*)'(?={_INSIDE})")


def write_file(rows: Iterable[ExportRow], path: Path, *, format: str) -> int:
    """Write results to a path where no file exists yet and return how many rows were written.

    CSV and parquet have lists and mappings as JSON text. In CSV an apostrophe is put before a text that a
    spreadsheet would run as a formula; JSON Lines and parquet keep every text exactly.

    Args:
        rows: the rows of the export; they are written one by one, so there may be any number.
        path: the file.
        format: "jsonl", "csv" or "parquet".

    Raises:
        InvalidInput: the format is unknown.
    """
    writers: dict[str, Callable[[Iterable[ExportRow], Path], int]] = {
        "jsonl": _write_jsonl,
        "csv": _write_csv,
        "parquet": _write_parquet,
    }
    if format not in writers:
        raise InvalidInput(f"There is no export format {format!r}; known are {', '.join(EXPORT_FORMATS)}.")
    return writers[format](rows, path)


def as_safe_cell(text: str) -> str:
    """Return a CSV cell with this text that no spreadsheet runs as a formula: with an apostrophe before each sign."""
    safe = _FORMULA_INSIDE.sub(r"\1'", text)
    return f"'{safe}" if _GUARDED_START.match(text) else safe


def from_safe_cell(cell: str) -> str:
    """Return the text from which `as_safe_cell` made this cell."""
    # Inner ones first: the one at the start was decided on the text without them.
    text = _GUARDED_INSIDE.sub(r"\1", cell)
    return text[1:] if text.startswith("'") and _GUARDED_START.match(text[1:]) else text


def begins_formula(text: str) -> bool:
    """Return whether a spreadsheet would run the text as a formula."""
    return _FORMULA_START.match(text) is not None


def _write_jsonl(rows: Iterable[ExportRow], path: Path) -> int:
    count = 0
    with open(path, "x", opener=private, encoding="utf-8", newline="\n") as stream:
        for row in rows:
            stream.write(escape_in_json(json.dumps(row, ensure_ascii=False, allow_nan=False)) + "\n")
            count += 1
    return count


def _write_csv(rows: Iterable[ExportRow], path: Path) -> int:
    count = 0
    # Without a byte order mark Excel reads UTF-8 as the system's legacy encoding.
    with open(path, "x", opener=private, encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for row in rows:
            writer.writerow([_csv_cell(row.get(column)) for column in COLUMNS])
            count += 1
    return count


def _csv_cell(value: Json) -> str | int | float | None:
    if isinstance(value, str):
        return as_safe_cell(value)
    return as_safe_cell(_json_text(value) or "") if isinstance(value, list | dict) else value


def _write_parquet(rows: Iterable[ExportRow], path: Path) -> int:
    require_packages("pyarrow", purpose="Writing parquet")
    import pyarrow
    import pyarrow.parquet

    types = {**dict.fromkeys(_NUMBERS, pyarrow.float64()), **dict.fromkeys(_YES_OR_NO, pyarrow.bool_())}
    schema = pyarrow.schema([(column, types.get(column, pyarrow.string())) for column in COLUMNS])
    count = 0
    with (
        open(path, "xb", opener=private) as stream,
        pyarrow.parquet.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for batch in _batches(rows):
            writer.write_batch(pyarrow.RecordBatch.from_pylist([_flat(row) for row in batch], schema=schema))
            count += len(batch)
    return count


def _flat(row: ExportRow) -> dict[str, Json]:
    return {column: _json_text(row.get(column)) if column in _NESTED else row.get(column) for column in COLUMNS}


def _json_text(value: Json) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, allow_nan=False)


def _batches(rows: Iterable[ExportRow]) -> Iterator[list[ExportRow]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, _ROWS_A_BATCH)):
        yield batch
