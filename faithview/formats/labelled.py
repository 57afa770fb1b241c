"""Labelled files, FaithView's own and those of data sets: answers or claims labelled as faithful or not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Sample
from faithview.formats.files.report import ReadReport, RowProblem, preview_of
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.limits import load_json
from faithview.formats.reading.reader import GivenLabel, LabelledSpan, Match, Reader, Row, verdict_of_kind
from faithview.formats.rows.cells import BadCell, as_text, is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import list_columns
from faithview.formats.rows.samples import SampleReader, check_mapping

SCHEMA = "labelled"
_REQUIRED = ("chunks", "answer", "label")
_ONE_OF = ("claim", "spans")
_LABELS = {0: 0, 1: 1, "0": 0, "1": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSample:
    """A sample with a human label.

    `sample.answer` is the labelled text: the claim if there is one, else the answer. `label` is 1 if faithful,
    0 if not. `spans` are the unfaithful stretches of that text: None if the file marks no spans, empty if it marks them
    and there are none. `claim` is None if the label is about the whole answer. `doc` names the source document, which
    keeps rows about one document together.
    """

    sample: Sample
    label: int
    spans: tuple[LabelledSpan, ...] | None
    claim: str | None
    task: str
    doc: str
    source: str


def recognise(table: Table) -> Match | None:
    """Return a match if the columns are those of a labelled file, else None."""
    columns = table.columns
    if not set(_REQUIRED).issubset(columns) or not set(_ONE_OF).intersection(columns):
        return None
    return Match(
        score=0.99,
        reasons=(
            "The columns 'chunks', 'answer', 'label' and 'spans' or 'claim' are those of a labelled benchmark file.",
        ),
        mapping=labelled_mapping(columns),
    )


def labelled_mapping(columns: Sequence[str]) -> ColumnMapping:
    """Return the meaning of the columns, which is fixed by the format."""
    return ColumnMapping(
        question="question" if "question" in columns else None,
        answer="answer",
        claim="claim" if "claim" in columns else None,
        contexts=("chunks",),
        key="id" if "id" in columns else None,
        segment="task" if "task" in columns else None,
    )


def read_labelled(
    table: Table,
    *,
    mapping: ColumnMapping | None = None,
    label: Callable[[Row], GivenLabel | None] | None = None,
    report: ReadReport | None = None,
) -> Iterator[LabelledSample | RowProblem]:
    """Yield every row of a labelled file as a sample or as a problem.

    Args:
        table: the file.
        mapping: which column is what; None for FaithView's own labelled file.
        label: returns the label of a row (`Reader.label`); None for FaithView's own labelled file.
        report: filled while the rows are read.

    Raises:
        InvalidInput: the table is not a labelled file; the text names the missing columns.
        UnreadableFile: later, if the file turns out to be damaged.
    """
    report = report if report is not None else ReadReport()
    if mapping is not None and label is not None:
        check_mapping(table, mapping)
        return _read(table, mapping, label, report)
    missing = [column for column in _REQUIRED if column not in table.columns]
    if missing:
        raise InvalidInput(
            f"{table.name} is not a labelled file: it has no column {' and no column '.join(map(repr, missing))}; "
            f"its columns are {list_columns(table.columns)}."
        )
    return _read(table, labelled_mapping(table.columns), own_label, report)


def _read(
    table: Table, mapping: ColumnMapping, label: Callable[[Row], GivenLabel | None], report: ReadReport
) -> Iterator[LabelledSample | RowProblem]:
    reader = SampleReader(table=table, mapping=mapping, report=report)
    for raw in reader.raw_rows():
        sample = reader.read(raw)
        if sample is None:
            continue
        if isinstance(sample, RowProblem):
            yield sample
            continue
        assert isinstance(raw, RawRow)  # noqa: S101 - `read` returns a problem for a problem
        row = Row(raw.values, sample, mapping)
        try:
            given = label(row)
        except BadCell as error:
            yield reader.refuse(raw, str(error))
            continue
        if given is None:
            yield reader.refuse(raw, "no label")
            continue
        report.usable += 1
        yield LabelledSample(
            sample=sample,
            label=int(given.is_faithful),
            spans=given.spans,
            claim=None if is_missing(row.at(mapping.claim)) else sample.answer,
            task=given.task,
            doc=given.doc or "\n".join(chunk.text for chunk in sample.chunks),
            source=given.source,
        )


def own_label(row: Row) -> GivenLabel:
    """Return the label of a row of FaithView's own labelled file; raises BadCell if it is not valid."""
    values = row.cells
    label = values.get("label")
    if not isinstance(label, int | str) or label not in _LABELS:
        raise BadCell(f"the label is {preview_of(label)}; it must be 1 (faithful) or 0 (not)")
    return GivenLabel(
        is_faithful=_LABELS[label] == 1,
        spans=_spans(values.get("spans"), row.sample.answer),
        task=as_text(values.get("task"), what="task") or "",
        doc=as_text(values.get("doc"), what="doc") or "",
        source=as_text(values.get("source"), what="source") or "",
    )


def _spans(value: object, text: str) -> tuple[LabelledSpan, ...] | None:
    if is_missing(value):
        return None
    if isinstance(value, str):  # CSV files have spans as JSON text
        try:
            value = load_json(value)
        except ValueError:
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
    kind = as_text(item.get("type"), what="span's type") or ""
    return LabelledSpan(start=start, end=end, kind=kind, verdict=verdict_of_kind(kind))


READER = Reader(name=SCHEMA, title="Labelled benchmark file", recognise=recognise, label=own_label)
