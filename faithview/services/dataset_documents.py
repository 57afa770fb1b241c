"""The rows of data sets as a table."""

from typing import Any

from faithview.documents.answers import GivenChunk
from faithview.domain.dataset import DatasetRow

# These names are FaithView's own, so no column of the user's file clashes with them.
COLUMNS = "dataset_columns"


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
    marks = {"dataset_tags": list(row.tags), "dataset_held_out": row.is_held_out}
    # A column of the user's file that is named like a field would replace the field when the export is read.
    taken = {*document, *marks, COLUMNS}
    hidden = {name: value for name, value in sample.extra.items() if name in taken}
    kept = {name: value for name, value in sample.extra.items() if name not in hidden}
    return {**kept, **document, **marks, **({COLUMNS: hidden} if hidden else {})}
