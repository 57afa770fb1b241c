"""What a file is taken for and what its first rows become, before anything is stored."""

from typing import Any

from faithview.domain.errors import MissingColumn
from faithview.domain.sample import Sample
from faithview.formats.dataset import Row, RowProblem, read_rows
from faithview.formats.rows.mapping import SETTINGS
from faithview.services.datasets import FIELDS, RESULT_FIELDS, Dataset, ReadReport
from faithview.services.imports.results import judged_row, to_result

_ROWS = 3
_TEXT_CHARACTERS = 300


def preview_document(dataset: Dataset, *, for_results: bool, limit: int = _ROWS) -> dict[str, Any]:
    """Return what a file is taken for: its format with the reasons, which column is what, and the first rows.

    Args:
        dataset: the file under the mapping in use.
        for_results: whether another tool's results are read too.
        limit: how many rows to show.
    """
    detection, mapping = dataset.detection, dataset.mapping
    used = {name: getattr(mapping, name) for name in (*FIELDS, *(RESULT_FIELDS if for_results else ()))}
    taken = {column for value in used.values() for column in (value if isinstance(value, tuple) else [value])}
    second = detection.runner_up
    return {
        "file": dataset.table.name,
        "content": dataset.table.format,
        "format": detection.schema,
        "title": detection.title,
        "confidence": detection.confidence,
        "reasons": list(detection.match.reasons),
        "runner_up": None
        if second is None
        else {
            "format": second.schema,
            "title": second.title,
            "confidence": second.score,
            "reasons": list(second.reasons),
        },
        "fields": {name: list(value) if isinstance(value, tuple) else value for name, value in used.items() if value},
        "settings": {name: value for name in SETTINGS if (value := getattr(mapping, name))},
        "kept_columns": [c for c in dataset.table.columns if c not in taken and c not in mapping.ignore],
        "questions": [
            {"field": q.field, "candidates": list(q.candidates), "why": q.why, "options": list(q.options)}
            for q in dataset.open_questions(for_results=for_results)
        ],
        "warnings": [*dataset.table.warnings, *detection.warnings],
        "notes": list(dataset.table.notes),
        **_rows(dataset, for_results=for_results, limit=limit),
    }


def _rows(dataset: Dataset, *, for_results: bool, limit: int) -> dict[str, Any]:
    report = ReadReport()
    shown: list[dict[str, Any]] = []
    problem = None
    try:
        for row in read_rows(dataset.table, dataset.mapping, report=report, needs_chunks=not for_results):
            shown.append(_row(dataset, row, for_results=for_results))
            if len(shown) >= limit:
                break
    except MissingColumn as error:
        problem = f"{error.question} Name it with --map {error.field}=COLUMN; {error.columns}"
    return {"rows": shown, "problem": problem, "reading": [*report.warnings, *report.notes]}


def _row(dataset: Dataset, row: Row | RowProblem, *, for_results: bool) -> dict[str, Any]:
    if isinstance(row, RowProblem):
        return {"problem": str(row)}
    document = _sample(row.sample)
    if for_results:
        reader = dataset.detection.reader
        result = to_result(judged_row(reader, row), row.sample, judge=reader.tool, threshold=0.0)
        document["result"] = {
            "state": result.state.value,
            "faithfulness": result.faithfulness,
            "claims": [[claim.verdict.value, _short(claim.text)] for claim in result.claims],
            "error": result.error,
            "warnings": list(result.warnings),
        }
    return document


def _sample(sample: Sample) -> dict[str, Any]:
    return {
        "key": sample.key,
        "question": _short(sample.question),
        "answer": _short(sample.answer),
        "chunks": [{"id": chunk.chunk_id, "text": _short(chunk.text)} for chunk in sample.chunks],
        "segment": sample.segment,
        "reference": _short(sample.reference),
        "timestamp": sample.timestamp.isoformat() if sample.timestamp else None,
        "extra": sorted(sample.extra),
    }


def _short(text: str | None) -> str | None:
    return text if text is None or len(text) <= _TEXT_CHARACTERS else text[: _TEXT_CHARACTERS - 1] + "…"
