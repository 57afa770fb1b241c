"""Users' files as samples: the detected format, the first rows, and all rows."""

import hashlib
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.sample import Sample
from faithview.formats.dataset import (
    FIELDS,
    Detection,
    LabelledSample,
    Mapping,
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

__all__ = [
    "FIELDS",
    "Dataset",
    "Detection",
    "LabelledSample",
    "Mapping",
    "ReadReport",
    "RowProblem",
    "open_dataset",
    "open_file",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A readable file, the format that was detected, and the mapping in use.

    `content_key` identifies the content: a hash of uploaded bytes, or a file's path with its size and time of change.
    """

    table: Table
    detection: Detection
    mapping: Mapping
    content_key: str

    def remap(self, items: list[str]) -> "Dataset":
        """Return the dataset with `field=column` items in place of the detected columns; raises InvalidInput."""
        return self.override(parse_mapping(items, columns=self.table.columns))

    def override(self, overrides: MappingABC[str, tuple[str, ...]]) -> "Dataset":
        """Return the dataset with the given columns in place of the detected ones."""
        return replace(self, mapping=self.mapping.override(overrides))

    def preview(self, *, limit: int = 5) -> list[Sample | RowProblem]:
        """Return the first rows as they would be read; raises InvalidInput for a mapping that cannot work."""
        return preview(self.table, self.mapping, limit=limit)

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
