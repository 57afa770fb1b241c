"""Users' files as samples: the detected format, guessed columns, the first rows, all rows, and what they amount to."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.sample import Sample
from faithview.formats.canonical import SCHEMA as COLUMNS_BY_NAME
from faithview.formats.dataset import (
    FIELDS,
    Detection,
    LabelledSample,
    ReadReport,
    RowProblem,
    Table,
    detect,
    open_table,
    parse_mapping,
    preview,
    read_labelled,
    read_samples,
)
from faithview.formats.rows.contexts import ONE_CHUNK
from faithview.formats.rows.guess_columns import ColumnGuess, guess_columns
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.separators import OFFERED as OFFERED_SEPARATORS
from faithview.formats.rows.separators import Separator, Separators, find_separators
from faithview.formats.rows.timestamps import DAY_FIRST, MONTH_FIRST, parse_timestamp

__all__ = [
    "COLUMNS_BY_NAME",
    "DAY_FIRST",
    "FIELDS",
    "MONTH_FIRST",
    "OFFERED_SEPARATORS",
    "ONE_CHUNK",
    "ColumnGuess",
    "ColumnMapping",
    "Dataset",
    "Detection",
    "LabelledSample",
    "ReadReport",
    "RowProblem",
    "Separator",
    "Separators",
    "Survey",
    "open_dataset",
    "open_file",
    "parse_timestamp",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a file's rows amount to under a mapping.

    Attributes:
        answers: how many rows can be used.
        chunks: how many answers have so many chunks.
        segments: how many segments there are.
        first: the time of the earliest answer that has one; None where none has.
        last: that of the latest.
        timed: how many answers have a time.
        report: the rows that cannot be used, warnings, and the dates that need an order of day and month.
    """

    answers: int
    chunks: Mapping[int, int]
    segments: int
    first: datetime | None
    last: datetime | None
    timed: int
    report: ReadReport

    @property
    def usual_chunks(self) -> int:
        """How many chunks most answers have; of several such numbers the larger one, 0 without an answer."""
        return max(self.chunks, key=lambda number: (self.chunks[number], number), default=0)

    @property
    def told_date_order(self) -> str | None:
        """The order of day and month that some dates show, where none shows the other one."""
        orders = self.report.date_orders
        return next(iter(orders)) if len(orders) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A readable file, the format that was detected, and the mapping in use.

    `content_key` identifies the content: a hash of uploaded bytes, or a file's path with its size and time of change.
    """

    table: Table
    detection: Detection
    mapping: ColumnMapping
    content_key: str

    def remap(self, items: list[str]) -> "Dataset":
        """Return the dataset with `field=column` items in place of the detected columns; raises InvalidInput."""
        return self.override(parse_mapping(items, columns=self.table.columns))

    def override(self, overrides: Mapping[str, tuple[str, ...]]) -> "Dataset":
        """Return the dataset with the given columns in place of the detected ones."""
        return replace(self, mapping=self.mapping.override(overrides))

    def preview(self, *, limit: int = 5) -> list[Sample | RowProblem]:
        """Return the first rows as they would be read; raises InvalidInput for a mapping that cannot work."""
        return preview(self.table, self.mapping, limit=limit)

    def guess(self) -> ColumnGuess:
        """Return the detected mapping with guesses for what is open, from odd names and from the first rows' cells."""
        return guess_columns(
            self.table.columns,
            self.table.head,
            self.detection.mapping,
            by_tool=self.detection.schema != COLUMNS_BY_NAME,
        )

    def find_separators(self) -> Separators | None:
        """Return what may separate the chunks in the mapped columns; None where no cell is one plain text."""
        return find_separators(self.mapping.contexts, self.table.head)

    def survey(self) -> Survey:
        """Read all rows and return what they amount to, without keeping them. Raises as `read_samples` does."""
        report = ReadReport()
        chunks: Counter[int] = Counter()
        segments: set[str] = set()
        first: datetime | None = None
        last: datetime | None = None
        timed = 0
        for row in read_samples(self.table, self.mapping, report=report):
            if isinstance(row, RowProblem):
                continue
            chunks[len(row.chunks)] += 1
            if row.segment is not None:
                segments.add(row.segment)
            if row.timestamp is not None:
                timed += 1
                first = min(first or row.timestamp, row.timestamp)
                last = max(last or row.timestamp, row.timestamp)
        return Survey(
            answers=report.usable,
            chunks=chunks,
            segments=len(segments),
            first=first,
            last=last,
            timed=timed,
            report=report,
        )

    def read(self, *, limit: int | None = None) -> tuple[list[Sample], ReadReport]:
        """Return the usable rows, at most `limit`, and a report on the others.

        Raises:
            InvalidInput: no column holds the answer or the contexts.
            UnreadableFile: the file is damaged, or no row of it can be used.
        """
        report = ReadReport()
        rows = read_samples(self.table, self.mapping, report=report)
        samples = list(islice((row for row in rows if isinstance(row, Sample)), limit))
        if not samples:
            first = f" (the first: {report.problems[0]})" if report.problems else ""
            raise UnreadableFile(f"No row of {self.table.name} can be used{first}.")
        return samples, report

    def read_labelled(self) -> tuple[list[LabelledSample], ReadReport]:
        """Return the rows of a labelled benchmark file and a report. Raises as `read` does."""
        report = ReadReport()
        rows = [row for row in read_labelled(self.table, report=report) if not isinstance(row, RowProblem)]
        if not rows:
            raise UnreadableFile(f"No row of {self.table.name} can be used.")
        return rows, report


def open_dataset(source: Path | bytes, *, name: str | None = None) -> Dataset:
    """Open a file and detect its format. Arguments and errors are those of `open_file`."""
    table = open_file(source, name=name)
    detection = detect(table)
    return Dataset(table=table, detection=detection, mapping=detection.mapping, content_key=_content_key(source))


def _content_key(source: Path | bytes) -> str:
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest()
    stat = source.stat()
    return f"{source.resolve()} {stat.st_size} {stat.st_mtime_ns}"


def open_file(source: Path | bytes, *, name: str | None = None) -> Table:
    """Open a file as a table.

    Args:
        source: its path or its bytes.
        name: what messages call it; None is the path's own name.

    Raises:
        InvalidInput: there is no such file.
        UnreadableFile: it cannot be read as a table.
    """
    if isinstance(source, Path):
        if source.is_dir():
            raise InvalidInput(f"{str(source)!r} is a folder; give a file.")
        if not source.exists():
            raise InvalidInput(f"There is no file {str(source)!r}.")
    return open_table(source, name=name or (source.name if isinstance(source, Path) else "the file"))
