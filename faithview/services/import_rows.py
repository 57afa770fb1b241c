"""One row of another tool's file as a result; the detected format of a file, and a preview of its rows.

Readers do not list the columns from which they read a result, so the first rows are read and the cells that the reader
accesses are recorded.

"""

from collections.abc import Mapping
from dataclasses import replace

from faithview.documents.files import PreviewDocument, PreviewedChunk, PreviewedResult, PreviewedRow, UnusableRow
from faithview.domain.claim import Claim
from faithview.domain.errors import MissingColumn
from faithview.domain.mapping import FIELDS, RESULT_FIELDS
from faithview.domain.result import Result, State, Usage
from faithview.domain.sample import Sample
from faithview.formats.files.report import ReadReport, RowProblem
from faithview.formats.read import read_rows
from faithview.formats.reading.reader import Judged, Reader, Row
from faithview.formats.reading.score_columns import by_columns
from faithview.formats.rows.cells import BadCell, parsed
from faithview.formats.rows.mapping import SETTINGS
from faithview.formats.rows.samples import SampleReader
from faithview.services.dataset_files import Dataset
from faithview.services.runs.judge_answer import checked

_OWN_SCORE = "{judge} faithfulness"


def judged_row(reader: Reader, row: Row) -> Judged:
    """Return the tool's result of a row; a result that cannot be read is a failed one with the reason."""
    try:
        judged = (reader.judged or by_columns)(row)
    except BadCell as error:
        return Judged(error=f"The result cannot be read: {error}.")
    return judged if judged is not None else Judged()


def to_result(judged: Judged, sample: Sample, *, judge: str, threshold: float) -> Result:
    """Return a tool's finding as a result.

    With claims, faithfulness is computed from them as for every judge, and the tool's own score becomes a metric. Parts
    that cannot be stored, and chunks that the answer does not have, are left out and named.
    """
    claims, notes = _with_known_chunks(judged.claims, sample)
    state = _state_of(judged)
    metrics = {name: value for name, value in judged.metrics.items() if 0 <= value <= 1}
    if claims and judged.score is not None:
        metrics[_OWN_SCORE.format(judge=judge)] = judged.score
    result = Result(
        state=state,
        judge=judge,
        claims=claims if state is State.JUDGED else (),
        error=judged.error or f"{judge} gave this answer no score." if state is State.FAILED else None,
        suggestions=(*judged.suggestions, *((f"{judge}: {judged.reason}",) if judged.reason.strip() else ())),
        raw_reply=judged.raw_reply,
        given_score=judged.score if state is State.JUDGED and not claims else None,
        threshold=threshold,
        metrics=metrics,
        warnings=(*judged.notes, *notes),
        seconds=max(0.0, judged.seconds),
        usage=judged.usage or Usage(cost_usd=judged.cost_usd),
        answer_score=judged.answer_score,
    )
    try:
        return checked(result, sample, threshold=threshold)
    except ValueError as error:
        failed = (
            f"The result cannot be stored: {error}".encode("utf-8", "backslashreplace").decode().replace("\x00", " ")
        )
        return Result(state=State.FAILED, judge=judge, error=failed, threshold=threshold)


def _state_of(judged: Judged) -> State:
    if judged.state is not None:
        return judged.state
    if judged.claims:
        return State.JUDGED
    if judged.error is not None or judged.score is None:
        return State.FAILED
    return State.JUDGED


def _with_known_chunks(claims: tuple[Claim, ...], sample: Sample) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    known = {chunk.chunk_id for chunk in sample.chunks}
    unknown: dict[str, None] = {}
    kept = []
    for claim in claims:
        cited = [*claim.supporting_chunk_ids, *(item.chunk_id for item in claim.evidence)]
        missing = [chunk_id for chunk_id in cited if chunk_id not in known]
        if missing:
            unknown.update(dict.fromkeys(missing))
            claim = replace(
                claim,
                supporting_chunk_ids=tuple(i for i in claim.supporting_chunk_ids if i in known),
                evidence=tuple(item for item in claim.evidence if item.chunk_id in known),
            )
        kept.append(claim)
    listed = ", ".join(list(unknown)[:3])
    notes = (f"Claims name chunks that the row does not have: {listed}.",) if unknown else ()
    return tuple(kept), notes


_ROWS = 3
_TEXT_CHARACTERS = 300


def preview_document(dataset: Dataset, *, for_results: bool, limit: int = _ROWS) -> PreviewDocument:
    """Return how a file is read: its format with the reasons, the mapping of its columns, and the first rows.

    Args:
        dataset: the file under the mapping in use.
        for_results: whether another tool's results are read too.
        limit: how many rows to show.
    """
    detection, mapping = dataset.detection, dataset.mapping
    used = {name: getattr(mapping, name) for name in (*FIELDS, *(RESULT_FIELDS if for_results else ()))}
    taken = {column for value in used.values() for column in (value if isinstance(value, tuple) else [value])}
    rows, problem, reading = _preview_rows(dataset, for_results=for_results, limit=limit)
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


def _preview_rows(
    dataset: Dataset, *, for_results: bool, limit: int
) -> tuple[list[PreviewedRow | UnusableRow], str | None, list[str]]:
    """Return the first rows, why there are no more, and the warnings."""
    report = ReadReport()
    shown: list[PreviewedRow | UnusableRow] = []
    problem = None
    try:
        for row in read_rows(dataset.table, dataset.mapping, report=report, needs_chunks=not for_results):
            shown.append(_preview_row(dataset, row, for_results=for_results))
            if len(shown) >= limit:
                break
    except MissingColumn as error:
        problem = f"{error.question} Name it with --map {error.field}=COLUMN; {error.columns}"
    return shown, problem, [*report.warnings, *report.notes]


def _preview_row(dataset: Dataset, row: Row | RowProblem, *, for_results: bool) -> PreviewedRow | UnusableRow:
    if isinstance(row, RowProblem):
        return UnusableRow(problem=str(row))
    sample, result = row.sample, None
    if for_results:
        reader = dataset.detection.reader
        judged = to_result(judged_row(reader, row), sample, judge=reader.tool, threshold=0.0)
        claims = [(claim.verdict.value, _truncate(claim.text)) for claim in judged.claims]
        result = PreviewedResult.of(judged, claims=claims)
    return PreviewedRow.of(
        sample,
        question=_truncate(sample.question),
        answer=_truncate(sample.answer),
        chunks=[PreviewedChunk.of(chunk, text=_truncate(chunk.text)) for chunk in sample.chunks],
        reference=_truncate(sample.reference),
        extra=sorted(sample.extra),
        result=result,
    )


def _truncate(text: str | None) -> str | None:
    return text if text is None or len(text) <= _TEXT_CHARACTERS else text[: _TEXT_CHARACTERS - 1] + "…"


class ReadCells(dict[str, object]):
    """The cells of a row; `names` records which cells are accessed by name."""

    def __init__(self, cells: Mapping[str, object]) -> None:
        """Take the cells; no access is recorded yet."""
        super().__init__(cells)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> object:
        """Record the name and return the cell."""
        self.names.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: object = None) -> object:
        """Record the name and return the cell."""
        self.names.add(name)
        return super().get(name, default)


def list_read_columns(dataset: Dataset) -> dict[str, bool]:
    """Return the columns from which the reader reads a result, apart from those that the mapping names.

    Returns:
        Each column, with whether the user may map it to another field: columns of plain values could be the score, but
        only the reader understands lists and objects.
    """
    mapping, report = dataset.mapping, ReadReport()
    reader = SampleReader(table=dataset.table, mapping=mapping, report=report)
    read: set[str] = set()
    for raw in dataset.table.head:
        sample = reader.read(raw)
        if isinstance(sample, Sample):
            cells = ReadCells(raw.values)
            judged_row(dataset.detection.reader, Row(cells, sample, mapping))
            read |= cells.names
    said = {*mapping.columns, *(getattr(mapping, name) for name in RESULT_FIELDS)}
    return {
        name: name not in mapping.ignore
        and all(not isinstance(parsed(row.values.get(name)), Mapping | list | tuple) for row in dataset.table.head)
        for name in dataset.table.columns
        if name in read and name not in said
    }
