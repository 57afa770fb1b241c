"""Files of every format, made from the same rows."""

import csv
import gzip
import io
import json
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as MappingABC
from typing import Any

from faithview.domain.sample import Sample
from faithview.formats.files.report import ReadReport, RowProblem
from faithview.formats.files.tables import Table
from faithview.formats.read import detect, open_table, read_rows
from faithview.formats.rows.mapping import Mapping

Row = MappingABC[str, Any]


def as_delimited(rows: Sequence[Row], *, delimiter: str = ",") -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow([json.dumps(cell) if isinstance(cell, list | dict) else cell for cell in row.values()])
    return stream.getvalue().encode()


def as_jsonl(rows: Sequence[Row]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def as_json(rows: Sequence[Row]) -> bytes:
    return json.dumps(rows, ensure_ascii=False, indent=1).encode()


def as_parquet(rows: Sequence[Row]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    stream = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows]), stream)
    return stream.getvalue()


def as_xlsx(rows: Sequence[Row]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(list(rows[0]))
    for row in rows:
        sheet.append([json.dumps(cell) if isinstance(cell, list | dict) else cell for cell in row.values()])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def as_tsv(rows: Sequence[Row]) -> bytes:
    return as_delimited(rows, delimiter="\t")


WRITERS = {
    "csv": as_delimited,
    "tsv": as_tsv,
    "json": as_json,
    "jsonl": as_jsonl,
    "parquet": as_parquet,
    "xlsx": as_xlsx,
}


def zipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def read_samples(table: Table, mapping: Mapping, *, report: ReadReport | None = None) -> Iterator[Sample | RowProblem]:
    rows = read_rows(table, mapping, report=report)
    return (row if isinstance(row, RowProblem) else row.sample for row in rows)


def read(content: bytes, *, name: str = "answers") -> tuple[list[Sample | RowProblem], ReadReport]:
    """Open, detect and read, as a user who changes nothing would."""
    detection = detect(open_table(content, name=name))
    report = ReadReport()
    return list(read_samples(detection.table, detection.mapping, report=report)), report


def read_one(row: Row) -> Sample:
    """Read a single row from JSON Lines."""
    (sample,), _ = read(as_jsonl([row]))
    assert isinstance(sample, Sample), sample
    return sample


def texts(sample: Sample | RowProblem) -> list[str]:
    assert isinstance(sample, Sample), sample
    return [chunk.text for chunk in sample.chunks]
