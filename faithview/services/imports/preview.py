"""What a file is taken for and what its first rows become, before anything is stored."""

from faithview.documents.files import PreviewDocument, PreviewedChunk, PreviewedResult, PreviewedRow, UnusableRow
from faithview.domain.errors import MissingColumn
from faithview.formats.dataset import Row, RowProblem, read_rows
from faithview.formats.rows.mapping import SETTINGS
from faithview.services.datasets import FIELDS, RESULT_FIELDS, Dataset, ReadReport
from faithview.services.imports.results import judged_row, to_result

_ROWS = 3
_TEXT_CHARACTERS = 300


def preview_document(dataset: Dataset, *, for_results: bool, limit: int = _ROWS) -> PreviewDocument:
    """Return what a file is taken for: its format with the reasons, which column is what, and the first rows.

    Args:
        dataset: the file under the mapping in use.
        for_results: whether another tool's results are read too.
        limit: how many rows to show.
    """
    detection, mapping = dataset.detection, dataset.mapping
    used = {name: getattr(mapping, name) for name in (*FIELDS, *(RESULT_FIELDS if for_results else ()))}
    taken = {column for value in used.values() for column in (value if isinstance(value, tuple) else [value])}
    rows, problem, reading = _rows(dataset, for_results=for_results, limit=limit)
    return PreviewDocument.of(
        dataset,
        fields={name: list(value) if isinstance(value, tuple) else value for name, value in used.items() if value},
        settings={name: value for name in SETTINGS if (value := getattr(mapping, name))},
        kept_columns=[c for c in dataset.table.columns if c not in taken and c not in mapping.ignore],
        questions=dataset.open_questions(for_results=for_results),
        warnings=[*dataset.table.warnings, *detection.warnings],
        rows=rows,
        problem=problem,
        reading=reading,
    )


def _rows(
    dataset: Dataset, *, for_results: bool, limit: int
) -> tuple[list[PreviewedRow | UnusableRow], str | None, list[str]]:
    """Return the first rows, why there are no more, and what was noticed while reading them."""
    report = ReadReport()
    shown: list[PreviewedRow | UnusableRow] = []
    problem = None
    try:
        for row in read_rows(dataset.table, dataset.mapping, report=report, needs_chunks=not for_results):
            shown.append(_row(dataset, row, for_results=for_results))
            if len(shown) >= limit:
                break
    except MissingColumn as error:
        problem = f"{error.question} Name it with --map {error.field}=COLUMN; {error.columns}"
    return shown, problem, [*report.warnings, *report.notes]


def _row(dataset: Dataset, row: Row | RowProblem, *, for_results: bool) -> PreviewedRow | UnusableRow:
    if isinstance(row, RowProblem):
        return UnusableRow(problem=str(row))
    sample, result = row.sample, None
    if for_results:
        reader = dataset.detection.reader
        judged = to_result(judged_row(reader, row), sample, judge=reader.tool, threshold=0.0)
        claims = [(claim.verdict.value, _short(claim.text)) for claim in judged.claims]
        result = PreviewedResult.of(judged, claims=claims)
    return PreviewedRow.of(
        sample,
        question=_short(sample.question),
        answer=_short(sample.answer),
        chunks=[PreviewedChunk.of(chunk, text=_short(chunk.text)) for chunk in sample.chunks],
        reference=_short(sample.reference),
        extra=sorted(sample.extra),
        result=result,
    )


def _short(text: str | None) -> str | None:
    return text if text is None or len(text) <= _TEXT_CHARACTERS else text[: _TEXT_CHARACTERS - 1] + "…"
