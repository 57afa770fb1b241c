"""The labelled benchmark file: answers or claims that people labelled as faithful or not."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Sample
from faithview.formats.files.report import ReadReport, RowProblem, preview_of
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.rows.cells import BadCell, as_text, is_missing
from faithview.formats.rows.guess import Guess
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import list_columns
from faithview.formats.rows.samples import SampleReader

SCHEMA = "labelled"
_REQUIRED = ("chunks", "answer", "label")
_ONE_OF = ("claim", "spans")
_LABELS = {0: 0, 1: 1, "0": 0, "1": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSpan:
    """A stretch `[start, end)` of the judged text, in code points, that a person marked as unfaithful."""

    start: int
    end: int
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSample:
    """A sample with a person's label.

    `sample.answer` is the labelled text: the claim if there is one, else the answer. `label` is 1 for faithful, 0 for
    not. `spans` are the unfaithful stretches of that text: None if the file marks no spans, empty if it marks them and
    there are none. `claim` is None if the label is about the whole answer. `doc` names the source document, so that
    rows about one document can stay together.
    """

    sample: Sample
    label: int
    spans: tuple[LabelledSpan, ...] | None
    claim: str | None
    task: str
    doc: str
    source: str


def recognise(columns: Sequence[str], head: Sequence[RawRow]) -> Guess | None:
    """Return a guess if the columns are those of a labelled file, else None."""
    if not set(_REQUIRED).issubset(columns) or not set(_ONE_OF).intersection(columns):
        return None
    return Guess(
        schema=SCHEMA,
        title="Labelled benchmark file",
        confidence=0.99,
        why="The columns 'chunks', 'answer', 'label' and 'spans' or 'claim' are those of a labelled benchmark file.",
        mapping=labelled_mapping(columns),
    )


def labelled_mapping(columns: Sequence[str]) -> ColumnMapping:
    """Return the meaning of the columns, which the format fixes."""
    return ColumnMapping(
        question="question" if "question" in columns else None,
        answer="answer",
        claim="claim" if "claim" in columns else None,
        contexts=("chunks",),
        key="id" if "id" in columns else None,
        segment="task" if "task" in columns else None,
    )


def read_labelled(table: Table, *, report: ReadReport | None = None) -> Iterator[LabelledSample | RowProblem]:
    """Yield every row of a labelled file as a sample or as a problem.

    Raises:
        InvalidInput: the table is not a labelled file; the text names the missing columns.
        UnreadableFile: later, if the file turns out to be damaged.
    """
    missing = [column for column in _REQUIRED if column not in table.columns]
    if missing:
        raise InvalidInput(
            f"{table.name} is not a labelled file: it has no column {' and no column '.join(map(repr, missing))}; "
            f"its columns are {list_columns(table.columns)}."
        )
    return _read(table, report if report is not None else ReadReport())


def _read(table: Table, report: ReadReport) -> Iterator[LabelledSample | RowProblem]:
    reader = SampleReader(table=table, mapping=labelled_mapping(table.columns), report=report)
    for row in reader.raw_rows():
        sample = reader.read(row)
        if sample is None:
            continue
        if isinstance(sample, RowProblem):
            yield sample
            continue
        assert isinstance(row, RawRow)  # noqa: S101 - `read` returns a problem for a problem
        try:
            labelled = _label(sample, row.values)
        except BadCell as error:
            yield reader.refuse(row, str(error))
            continue
        report.usable += 1
        yield labelled


def _label(sample: Sample, values: Mapping[str, object]) -> LabelledSample:
    label = values.get("label")
    if not isinstance(label, int | str) or label not in _LABELS:
        raise BadCell(f"the label is {preview_of(label)}; it must be 1 (faithful) or 0 (not)")
    claim = values.get("claim")
    return LabelledSample(
        sample=sample,
        label=_LABELS[label],
        spans=_spans(values.get("spans"), sample.answer),
        claim=None if is_missing(claim) else sample.answer,
        task=as_text(values.get("task"), what="task") or "",
        doc=as_text(values.get("doc"), what="doc") or "",
        source=as_text(values.get("source"), what="source") or "",
    )


def _spans(value: object, text: str) -> tuple[LabelledSpan, ...] | None:
    if is_missing(value):
        return None
    if isinstance(value, str):  # CSV files hold spans as JSON text
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise BadCell("the spans are not JSON") from None
    if value is None:
        return None
    if not isinstance(value, list):
        raise BadCell("the spans are not a list")
    return tuple(_span(item, text) for item in value)


def _span(item: object, text: str) -> LabelledSpan:
    start = item.get("start") if isinstance(item, Mapping) else None
    end = item.get("end") if isinstance(item, Mapping) else None
    if not isinstance(item, Mapping) or not isinstance(start, int) or not isinstance(end, int):
        raise BadCell("a span has no start and end")
    if not 0 <= start < end <= len(text):
        raise BadCell(f"the span [{start}, {end}) is not within the text's {len(text)} characters")
    return LabelledSpan(start=start, end=end, kind=as_text(item.get("type"), what="span's type") or "")
