"""FaithView's own export, read back: the same answers with their claims, figures, labels and notes.

`ExportedAnswer` says what a line has. In CSV and parquet its lists and objects are JSON in a cell.
"""

from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError

from faithview.documents.answers import ExportedAnswer, ExportedClaim, JudgeResult
from faithview.documents.labels import LabelRow
from faithview.domain.claim import Claim, Verdict
from faithview.domain.label import NOT_A_CLAIM, LabelRole
from faithview.domain.result import Usage
from faithview.domain.scoring import State
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.reader import Annotation, Judged, Match, Reader, Remark, map_rows
from faithview.formats.reading.values import as_list, as_object, as_time
from faithview.formats.rows.cells import BadCell, is_missing, parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.samples import INCLUSION_COLUMN, Row
from faithview.formats.write import from_safe_cell

_SIGNS = frozenset({"key", "answer", "state", "faithfulness", "chunks", "claims", "extra", "judge_result"})
_JSON = ("chunks", "claims", "extra", "missed_claims", "suggestions", "metrics", "warnings", "usage", "judge_result")
# A row's own cells have this before their names; its extra columns keep theirs.
_OWN = "faithview export: "
_FIELDS = tuple(name for name in ExportedAnswer.model_fields if name not in ("extra", INCLUSION_COLUMN))
_MAPPING = ColumnMapping(
    question=f"{_OWN}question",
    answer=f"{_OWN}answer",
    contexts=(f"{_OWN}chunks",),
    key=f"{_OWN}key",
    segment=f"{_OWN}segment",
    reference=f"{_OWN}reference",
    timestamp=f"{_OWN}timestamp",
    ignore=tuple(f"{_OWN}{name}" for name in _FIELDS),
)
_CLAIM = TypeAdapter(Claim)


def recognise(table: Table) -> Match | None:
    """Return a match if the file was written by `faithview export`, else None."""
    if not _SIGNS.issubset(table.columns):
        return None
    return Match(mapping=_MAPPING, has_results=True)


def open_rows(table: Table) -> Table:
    """Return the rows with their original extra columns next to the export's own cells."""
    is_csv = table.format.startswith(("csv", "tsv"))
    return map_rows(table, lambda row: _row(row, is_csv=is_csv))


def _row(row: RawRow, *, is_csv: bool) -> RawRow:
    given = {name: _loaded(name, cell, is_csv=is_csv) for name, cell in row.values.items()}
    extra = as_object(given.pop("extra", None))
    given["chunks"] = [_without_empty_score(chunk) for chunk in as_list(given.get("chunks"))]
    cells = {f"{_OWN}{name}" if name in _FIELDS else name: cell for name, cell in given.items()}
    return RawRow(row.line, {**extra, **cells})


def _loaded(name: str, cell: object, *, is_csv: bool) -> object:
    text = from_safe_cell(cell) if is_csv and isinstance(cell, str) else cell
    return parsed(text) if name in _JSON else text


def _without_empty_score(chunk: object) -> object:
    """Return the chunk without a score of None, which would be read as metadata."""
    if not isinstance(chunk, Mapping):
        return chunk
    return {name: value for name, value in chunk.items() if name != "score" or value is not None}


def judged(row: Row) -> Judged:
    """Return the judge's result in a row of the export, with labels and notes; raises BadCell if it is damaged."""
    cells = {name: row.cells.get(f"{_OWN}{name}") for name in _FIELDS}
    values = {name: None if is_missing(cell) else cell for name, cell in cells.items()}
    values["schema_version"] = values["schema_version"] or 1  # CSV and parquet do not have it
    # Older exports have the judge's own result apart only where labels changed it.
    values["judge_result"] = values["judge_result"] or {name: values[name] for name in JudgeResult.model_fields}
    try:
        answer = ExportedAnswer.model_validate(
            {**values, "chunks": [], "extra": {}, INCLUSION_COLUMN: row.sample.inclusion_probability},
            extra="ignore",
        )
        return _result(answer)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise BadCell(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _result(answer: ExportedAnswer) -> Judged:
    claims = tuple(map(_claim, answer.claims))
    state, error = State(answer.judge_result.state), answer.error
    if state is State.PENDING:
        state, error = State.FAILED, "The answer had not been judged yet."
    is_judged = state is State.JUDGED
    numbered = list(enumerate(answer.claims, start=1))
    annotations = [_annotation(label, number) for number, claim in numbered for label in claim.labels]
    annotations += [_annotation(label, None) for label in answer.missed_claims]
    return Judged(
        score=answer.judge_result.faithfulness if is_judged and not claims else None,
        claims=claims,
        error=error,
        state=None if is_judged else state,
        judge=answer.judge,
        metrics=answer.metrics,
        annotations=tuple(annotations),
        suggestions=tuple(answer.suggestions),
        raw_reply=answer.raw_reply,
        notes=tuple(answer.warnings),
        seconds=answer.seconds,
        usage=Usage(**answer.usage.model_dump()),
        answer_score=answer.answer_score,
        remarks=tuple(
            Remark(claim_number=number, author=note.author, text=note.text, at=as_time(note.at))
            for number, claim in numbered
            for note in claim.notes
        ),
    )


def _claim(claim: ExportedClaim) -> Claim:
    """Return the claim; the occurrence of each span is found when the claim is checked against its text."""
    values = claim.model_dump()
    values["spans"] = [dict(zip(("start", "end"), span, strict=False)) for span in claim.answer_spans]
    for item in values["evidence"]:
        item["span"] = None if item["start"] is None else {"start": item["start"], "end": item["end"]}
    values["mismatches"] = [
        {name: value for name, value in item.items() if value is not None} for item in values["mismatches"]
    ]
    return _CLAIM.validate_python(values)


def _annotation(label: LabelRow, claim_number: int | None) -> Annotation:
    return Annotation(
        verdict=None if label.verdict == NOT_A_CLAIM else Verdict(label.verdict),
        reviewer=label.reviewer,
        claim_number=claim_number,
        span=None if label.start is None or label.end is None else (label.start, label.end),
        note=label.note or "",
        at=as_time(label.at),
        role=LabelRole(label.role),
        is_blind=label.blind,
        corrected_text=label.corrected_text or "",
        seconds=label.seconds,
    )


READER = Reader(name="faithview", title="FaithView export", recognise=recognise, open=open_rows, judged=judged)
