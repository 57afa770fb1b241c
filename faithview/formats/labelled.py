"""Labelled files, FaithView's own and those of data sets: answers or claims labelled as faithful or not."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.domain.sample import Sample
from faithview.formats.files.report import ReadReport, RowProblem, preview_of
from faithview.formats.files.tables import Table
from faithview.formats.reading.reader import Annotation, GivenLabel, Judged, LabelledSpan, Match, Reader
from faithview.formats.reading.values import as_flag, as_object, text_of
from faithview.formats.rows.cells import BadCell, is_missing, parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.samples import Row, read_as

_CONFLICTS = ("conflict", "contradict", "intrinsic")
# RAGTruth's flags. A true statement that is not in the chunks is not faithful to them.
_FLAGS = {"implicit_true": "(true, but not in the source)", "due_to_null": "(where the source has no value)"}


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


def read_labelled(
    table: Table, mapping: ColumnMapping, label: Callable[[Row], GivenLabel | None], *, report: ReadReport
) -> Iterator[LabelledSample | RowProblem]:
    """Yield every row of a labelled file as a sample or as a problem; raises as `read_rows` does.

    Args:
        table: the file.
        mapping: which column is what.
        label: returns the label of a row (`Reader.label`).
        report: filled while the rows are read.
    """
    return read_as(lambda row: _labelled(row, label(row)), table, mapping, report=report)


def _labelled(row: Row, label: GivenLabel | None) -> LabelledSample:
    if label is None:
        raise BadCell("no label")
    return LabelledSample(
        sample=row.sample,
        label=int(label.is_faithful),
        spans=label.spans,
        claim=None if is_missing(row.at(row.mapping.claim)) else row.sample.answer,
        task=label.task,
        doc=label.doc or "\n".join(chunk.text for chunk in row.sample.chunks),
    )


def recognise(table: Table) -> Match | None:
    """Return a match if the columns are those of FaithView's own labelled file, else None."""
    columns = set(table.columns)
    if not {"chunks", "answer", "label"} <= columns or not {"claim", "spans"} & columns:
        return None
    return Match(
        mapping=ColumnMapping(
            question="question" if "question" in columns else None,
            answer="answer",
            claim="claim" if "claim" in columns else None,
            contexts=("chunks",),
            key="id" if "id" in columns else None,
            segment="task" if "task" in columns else None,
        ),
    )


def own_label(row: Row) -> GivenLabel:
    """Return the label of a row of FaithView's own labelled file; raises BadCell if it is not valid."""
    values = row.cells
    return GivenLabel(
        is_faithful=is_faithful(values.get("label")),
        spans=read_spans(values.get("spans"), row.sample.answer),
        task=text_of(values.get("task")),
        doc=text_of(values.get("doc")),
    )


def is_faithful(cell: object) -> bool:
    """Return whether a label calls the answer faithful; raises BadCell if it is not 1 or 0, or a word for them."""
    if (flag := as_flag(cell)) is None:
        raise BadCell(f"the label is {preview_of(cell)}; it must be 1 (faithful) or 0 (not)")
    return flag


def read_spans(cell: object, text: str) -> tuple[LabelledSpan, ...] | None:
    """Return the unfaithful stretches of a text, also from a list as JSON; None for an empty cell.

    Raises:
        BadCell: it is not a list of spans, or one is outside the text.
    """
    cell = parsed(cell)
    if is_missing(cell):
        return None
    if not isinstance(cell, list):
        raise BadCell("the spans are not a list")
    return tuple(_span(as_object(item), text) for item in cell)


def _span(item: Mapping[str, object], text: str) -> LabelledSpan:
    start, end, words = item.get("start"), item.get("end"), item.get("text")
    if not isinstance(start, int) or not isinstance(end, int):
        raise BadCell("a span has no start and end")
    if isinstance(words, str) and text[start:end] != words and text.count(words) == 1:
        start = text.index(words)
        end = start + len(words)
    if not 0 <= start < end <= len(text):
        raise BadCell(f"the span [{start}, {end}) is not within the text's {len(text):,} characters")
    kind = text_of(item.get("type") or item.get("label_type"))
    is_conflict = any(word in kind.lower() for word in _CONFLICTS)
    notes = [text_of(item.get("meta")).strip(), *(words for flag, words in _FLAGS.items() if as_flag(item.get(flag)))]
    return LabelledSpan(
        start=start,
        end=end,
        kind=kind,
        verdict=Verdict.CONTRADICTED if is_conflict else Verdict.NOT_MENTIONED,
        note=" ".join(filter(None, notes)),
    )


def as_result(label: GivenLabel | None, *, by: str) -> Judged:
    """Return the label as its authors' result: 1 or 0 for the whole, and an annotation for each span.

    The data set does not split the answer into claims, so the result has none: an unmarked part is not a claim that was
    found supported. An answer without a label failed.
    """
    if label is None:
        return Judged(error="The data set has no label for this answer.", judge=by)
    annotations = tuple(
        Annotation(
            verdict=span.verdict, span=(span.start, span.end), note=": ".join(filter(None, (span.kind, span.note)))
        )
        for span in label.spans or ()
    )
    return Judged(score=float(label.is_faithful), judge=by, annotations=annotations)


READER = Reader(name="labelled", title="Labelled benchmark file", recognise=recognise, label=own_label)
