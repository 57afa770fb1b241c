"""Exports a run as JSON Lines, CSV or parquet: one row per answer."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from faithview.formats.exporters.exporter import ExportedRun, Exporter, ExportRow
from faithview.formats.write import (
    EXPORT_FORMATS,
    ExportFormat,
    check_format,
    csv_cell,
    flat_cell,
    in_batches,
    open_new,
    write_csv,
    write_json_lines,
    write_parquet,
)

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
    "judge",
    "answer_score",
    "usage",
    "seconds",
    "judge_result",
    "is_faithful",
)
_NUMBERS = ("faithfulness", "inclusion_probability", "answer_score", "seconds")
_YES_OR_NO = ("is_faithful",)
_ROWS_A_BATCH = 500
_TITLES: dict[ExportFormat, str] = {"csv": "CSV", "jsonl": "JSON Lines", "parquet": "Parquet"}


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
    check_format(format)
    with open_new(path) as stream:
        if format == "csv":
            return write_csv(COLUMNS, ([csv_cell(row.get(name)) for name in COLUMNS] for row in rows), stream)
        if format == "jsonl":
            return write_json_lines(rows, stream, escape_hidden=True)
        return write_parquet(in_batches(rows, _ROWS_A_BATCH), _parquet_columns(), stream)


def _parquet_columns() -> dict[str, tuple[Any, Callable[[Any], Any]]]:
    import pyarrow

    types = {**dict.fromkeys(_NUMBERS, pyarrow.float64()), **dict.fromkeys(_YES_OR_NO, pyarrow.bool_())}
    return {name: (types.get(name, pyarrow.string()), flat_cell) for name in COLUMNS}


def _write_run(file_format: ExportFormat, run: ExportedRun, path: Path) -> None:
    write_file(run.rows(), path, format=file_format)


EXPORTERS = tuple(
    Exporter(name=name, title=_TITLES[name], ending=name, write=partial(_write_run, name)) for name in EXPORT_FORMATS
)
