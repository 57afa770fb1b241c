"""Data sets as JSON for the command line, and their rows as a file that FaithView reads again."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from faithview.domain.dataset import DatasetRow, DatasetVersion, NamedDataset, RowFilter
from faithview.domain.run import Run
from faithview.formats.export import ExportFormat
from faithview.formats.files.atomic_file import atomic_file
from faithview.formats.reading.own_columns import DATASET_HELD_OUT, DATASET_TAGS
from faithview.formats.table_export import TableRow, write_table_file
from faithview.services.container import Services
from faithview.services.datasets import contents
from faithview.services.datasets.contents import VersionCounts
from faithview.services.datasets.named import VersionStep
from faithview.services.exports.run_document import version_document

# They are FaithView's own, so that no column that came with the rows is in their way.
COLUMNS = "dataset_columns"


def dataset_document(dataset: NamedDataset) -> dict[str, Any]:
    """Return what `faithview datasets list --json` prints of a data set."""
    return {
        "name": dataset.name,
        "versions": [_version(version) for version in dataset.versions],
        "runs": dataset.runs,
        "newest_at": dataset.newest_at.isoformat() if dataset.newest_at else None,
        "tags": dict(dataset.tags),
        "held_out_questions": dataset.held_out,
    }


def shown_document(
    dataset: NamedDataset,
    version: DatasetVersion,
    *,
    steps: Sequence[VersionStep],
    runs: Sequence[Run],
    counts: VersionCounts,
    rows: Sequence[DatasetRow],
    matching: int,
) -> dict[str, Any]:
    """Return what `faithview datasets show --json` prints: the versions, and one of them with its runs and rows.

    `matching` counts the rows that the filter lets through; `rows` are the first of them.
    """
    return {
        **dataset_document(dataset),
        "versions": [{**_version(step.version), "change": _change(step)} for step in steps],
        "shown": {
            **version_document(version),
            "rows": counts.rows,
            "questions": counts.questions,
            "held_out_rows": counts.held_out_rows,
            "held_out_questions": counts.held_out_questions,
            "runs": [_run(run) for run in runs],
        },
        "matching": matching,
        "rows": [row_document(row) for row in rows],
    }


def row_document(row: DatasetRow) -> dict[str, Any]:
    """Return one row with all its columns, its tags and whether it is held out, as exports hold it."""
    sample = row.sample
    document: dict[str, Any] = {
        "key": sample.key,
        "question": sample.question,
        "answer": sample.answer,
        "chunks": [
            {
                "id": chunk.chunk_id,
                "text": chunk.text,
                "rank": chunk.rank,
                "score": chunk.score,
                "metadata": dict(chunk.metadata),
            }
            for chunk in sample.chunks
        ],
        "reference": sample.reference,
        "segment": sample.segment,
        "timestamp": sample.timestamp.isoformat() if sample.timestamp else None,
    }
    if sample.inclusion_probability != 1:
        document["inclusion_probability"] = sample.inclusion_probability
    marks = {DATASET_TAGS: list(row.tags), DATASET_HELD_OUT: row.is_held_out}
    # A column that came with the rows and is called like a field would take the field's place when the file is read.
    taken = {*document, *marks, COLUMNS}
    hidden = {name: value for name, value in sample.extra.items() if name in taken}
    kept = {name: value for name, value in sample.extra.items() if name not in hidden}
    return {**kept, **document, **marks, **({COLUMNS: hidden} if hidden else {})}


def write_rows(
    services: Services,
    dataset: NamedDataset,
    version: DatasetVersion,
    filters: RowFilter,
    *,
    destination: Path,
    file_format: ExportFormat,
) -> int:
    """Write the rows that the filter lets through to a file, however many they are, and return their number.

    The file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written.
    """
    # Both passes over the rows are over the same run, whatever is judged meanwhile.
    source = contents.find_source(services, version)

    def rows() -> Iterator[TableRow]:
        return map(_in_order, contents.iterate_rows(services, dataset, version, filters, source=source))

    with atomic_file(destination) as temporary:
        return write_table_file(rows, temporary, format=file_format)


def _in_order(row: DatasetRow) -> TableRow:
    """Put what every row has first, so that the columns that came with the rows stand between it and the marks."""
    document = row_document(row)
    first = ("key", "question", "answer", "chunks", "reference", "segment", "timestamp")
    return {**{name: document[name] for name in first}, **document}


def _version(version: DatasetVersion) -> dict[str, Any]:
    return {
        "version": version.number,
        "content_hash": version.content_hash,
        "rows": version.rows,
        "first_seen": version.created_at.isoformat(),
        "runs": version.runs,
    }


def _change(step: VersionStep) -> dict[str, int] | None:
    change = step.change
    if change is None:
        return None
    return {"kept": change.kept, "changed": change.changed, "added": change.added, "removed": change.removed}


def _run(run: Run) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "name": run.name,
        "judge": run.judge.name,
        "fingerprint": run.fingerprint,
        "status": run.status.value,
        "created_at": run.created_at.isoformat(),
        "archived_at": run.archived_at.isoformat() if run.archived_at else None,
    }
