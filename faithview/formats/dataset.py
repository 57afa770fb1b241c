"""Read a user's file as samples: open it, detect its format, map its columns, read its rows.

    table = open_table(Path("answers.csv"), name="answers.csv")
    detection = detect(table)
    mapping = detection.mapping.override(parse_mapping(["answer=reply"], columns=table.columns))
    report = ReadReport()
    for item in read_samples(table, mapping, report=report):
        ...                                # a Sample or a RowProblem

Delimited text, JSON Lines and JSON lists are read row by row, parquet in batches, so memory does not grow with the
file.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from faithview.domain.sample import Sample
from faithview.formats import canonical, deepeval, labelled, ragas
from faithview.formats.files.aliases import FIELDS, Field
from faithview.formats.files.columnar import open_parquet, open_xlsx
from faithview.formats.files.delimited import open_delimited
from faithview.formats.files.encoding import find_encoding
from faithview.formats.files.json_text import open_json, starts_like_json
from faithview.formats.files.report import ReadReport, RowProblem
from faithview.formats.files.source import Source, find_kind
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.labelled import LabelledSample, LabelledSpan, read_labelled
from faithview.formats.rows.guess import Guess
from faithview.formats.rows.mapping import Mapping, parse_mapping
from faithview.formats.rows.samples import SampleReader, check_mapping

__all__ = [
    "FIELDS",
    "Detection",
    "Field",
    "LabelledSample",
    "LabelledSpan",
    "Mapping",
    "RawRow",
    "ReadReport",
    "RowProblem",
    "Table",
    "detect",
    "open_table",
    "parse_mapping",
    "preview",
    "read_labelled",
    "read_samples",
]

_FORMATS = (labelled.recognise, ragas.recognise, deepeval.recognise, canonical.recognise)


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """The format that a table seems to have.

    `schema` names the format for programs, `title` for people. `why` is one sentence; `confidence` is in [0, 1].
    `runner_up` is the next best guess, None if only one format is possible. `warnings` name what is ambiguous.
    """

    schema: str
    title: str
    why: str
    confidence: float
    mapping: Mapping
    runner_up: Guess | None = None
    warnings: tuple[str, ...] = ()


def open_table(source: Path | bytes, *, name: str) -> Table:
    """Open a file by its content; its name is only used in messages.

    A text file is read once from start to end to check its encoding and, if it is gzipped, that it is complete.

    Args:
        source: the file's path, or its bytes.
        name: what messages call the file.

    Raises:
        UnreadableFile: the file cannot be read as a table; the text says why in one sentence.
    """
    opened = Source(source, name=name)
    kind = find_kind(opened)
    if kind == "parquet":
        return open_parquet(opened)
    if kind == "xlsx":
        return open_xlsx(opened)
    encoding = find_encoding(opened)
    return open_json(opened, encoding) if starts_like_json(opened, encoding) else open_delimited(opened, encoding)


def detect(table: Table) -> Detection:
    """Return the format that fits the table's columns best, with its mapping."""
    guesses = [guess for recognise in _FORMATS if (guess := recognise(table.columns, table.head)) is not None]
    guesses.sort(key=lambda guess: -guess.confidence)
    best = guesses[0]
    return Detection(
        schema=best.schema,
        title=best.title,
        why=best.why,
        confidence=best.confidence,
        mapping=best.mapping,
        runner_up=guesses[1] if len(guesses) > 1 else None,
        warnings=best.warnings,
    )


def read_samples(table: Table, mapping: Mapping, *, report: ReadReport | None = None) -> Iterator[Sample | RowProblem]:
    """Yield every row as a sample or as a problem; a bad row never stops the others.

    Rows without any value are skipped and counted in `report.empty`. Keys are unique: the second row with an id gets
    "id#2", and a row without an id gets its number.

    Args:
        table: the table.
        mapping: which column is what.
        report: filled while the rows are read.

    Raises:
        InvalidInput: at once, if no column is mapped to the answer or to the contexts.
        UnreadableFile: later, if the file turns out to be damaged.
    """
    check_mapping(table, mapping)
    return _read(SampleReader(table=table, mapping=mapping, report=report if report is not None else ReadReport()))


def preview(table: Table, mapping: Mapping, *, limit: int = 5) -> list[Sample | RowProblem]:
    """Return the first rows as they would be read.

    Raises:
        InvalidInput: as for `read_samples`.
    """
    return list(islice(read_samples(table, mapping), limit))


def _read(reader: SampleReader) -> Iterator[Sample | RowProblem]:
    for row in reader.raw_rows():
        item = reader.read(row)
        if item is None:
            continue
        if isinstance(item, Sample):
            reader.report.usable += 1
        yield item
