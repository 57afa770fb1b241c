"""Data sets as JSON for the command line, and their rows as a file that FaithView reads again."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from faithview.documents.answers import GivenChunk
from faithview.documents.datasets import DatasetDocument, DatasetStep, ShownVersion
from faithview.domain.dataset import DatasetRow, DatasetVersion, NamedDataset, RowFilter
from faithview.domain.run import Run
from faithview.formats.files.atomic_file import atomic_file
from faithview.formats.reading.own_rows import DATASET_HELD_OUT, DATASET_TAGS
from faithview.formats.write import ExportFormat, TableRow, write_table_file
from faithview.services import datasets
from faithview.services.container import Store
from faithview.services.datasets import VersionCounts, VersionStep
from faithview.store import datasets as stored_datasets

# These names are FaithView's own, so no column of the user's file clashes with them.
COLUMNS = "dataset_columns"


def shown_document(
    dataset: NamedDataset,
    version: DatasetVersion,
    *,
    steps: Sequence[VersionStep],
    runs: Sequence[Run],
    counts: VersionCounts,
    rows: Sequence[DatasetRow],
    matching: int,
) -> DatasetDocument:
    """Return the document of `faithview datasets show --json`: the versions, and one of them with its runs and rows.

    `matching` counts the rows that match the filter; `rows` are the first of them.
    """
    return DatasetDocument.of(
        dataset,
        versions=[DatasetStep.of(step.version, change=step.change) for step in steps],
        shown=ShownVersion.of(version, counts=counts, runs_over=runs),
        matching=matching,
        rows=[row_document(row) for row in rows],
    )


def row_document(row: DatasetRow) -> dict[str, Any]:
    """Return one row as exports have it: all its columns, its tags and whether it is held out."""
    sample = row.sample
    document: dict[str, Any] = {
        "key": sample.key,
        "question": sample.question,
        "answer": sample.answer,
        "chunks": [GivenChunk.of(chunk).to_dict() for chunk in sample.chunks],
        "reference": sample.reference,
        "segment": sample.segment,
        "timestamp": sample.timestamp.isoformat() if sample.timestamp else None,
    }
    if sample.inclusion_probability != 1:
        document["inclusion_probability"] = sample.inclusion_probability
    marks = {DATASET_TAGS: list(row.tags), DATASET_HELD_OUT: row.is_held_out}
    # A column of the user's file that is named like a field would replace the field when the export is read.
    taken = {*document, *marks, COLUMNS}
    hidden = {name: value for name, value in sample.extra.items() if name in taken}
    kept = {name: value for name, value in sample.extra.items() if name not in hidden}
    return {**kept, **document, **marks, **({COLUMNS: hidden} if hidden else {})}


def write_rows(
    store: Store,
    dataset: NamedDataset,
    version: DatasetVersion,
    filters: RowFilter,
    *,
    destination: Path,
    file_format: ExportFormat,
) -> int:
    """Write the rows that match the filter to a file, any number of them, and return their number.

    The file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written.
    """
    # Both passes over the rows read the same run, even if another run is judged in between.
    source = stored_datasets.find_run(store.db, version.version_id)

    def rows() -> Iterator[TableRow]:
        return map(_in_order, datasets.iterate_rows(store, dataset, version, filters, source=source))

    with atomic_file(destination) as temporary:
        return write_table_file(rows, temporary, format=file_format)


def _in_order(row: DatasetRow) -> TableRow:
    """Order the columns: those that every row has, then the user's own, then the marks."""
    document = row_document(row)
    first = ("key", "question", "answer", "chunks", "reference", "segment", "timestamp")
    return {**{name: document[name] for name in first}, **document}
