"""Phoenix's spans: as its REST interface gives them, as JSON Lines, and as the table of its client.

The retriever may be any number of levels below the answer. Evaluations stand in columns `eval.NAME.score`, as
`annotations` of a span, or in rows of their own, among the spans or in another file. One is about the answer if it is
on the answer's span, or if the trace has one answer.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table, rows_or_problem
from faithview.formats.readers.phoenix import named_annotation, pick_evaluation
from faithview.formats.reading.judged import Judged
from faithview.formats.reading.match import Match
from faithview.formats.reading.named_scores import judged_by_names, score_cells
from faithview.formats.reading.reader import Reader, Row
from faithview.formats.reading.values import as_list, as_object, text_of
from faithview.formats.rows.cells import is_missing
from faithview.formats.spans.rows import ANSWER_COLUMNS, SPANS_LEFT_OUT, answer_rows, make_span, with_answers
from faithview.formats.spans.trace_span import TraceSpan

_PREFIX = "eval."
_FOUND = "annotations"
# Annotations that were exported apart from the spans (`--with FILE`).
_OTHER_FILE = "annotations.jsonl"
_SPAN_IDS = ("context.span_id", "span_id")
_ATTRIBUTES = "attributes."


def recognise(table: Table) -> Match | None:
    """Return a match for Phoenix's spans, else None."""
    columns = set(table.columns)
    is_table = {"context.span_id", "context.trace_id"} <= columns
    contexts = [as_object(row.values.get("context")) for row in table.head]
    is_json = "attributes" in columns and any("span_id" in context for context in contexts)
    if not is_json and not (is_table and any(name.startswith(_ATTRIBUTES) for name in columns)):
        return None
    opened = open_rows(table)
    names = [name for name in opened.columns if name.startswith(_PREFIX)]
    mapping, questions = pick_evaluation(names, ANSWER_COLUMNS, opened.head)
    return Match(
        score=0.96,
        reasons=("The spans have the keys 'context.span_id' and 'attributes', as those of Phoenix have.",),
        mapping=mapping,
        questions=questions,
        warnings=(SPANS_LEFT_OUT,),
        has_results=bool(names),
    )


def open_rows(table: Table) -> Table:
    """Return the answers in the spans, each with what was found about it."""
    table, others = table.with_others(_OTHER_FILE)
    if others is None:
        return with_answers(table, lambda without: _rows(table, None, without))
    note = f"Phoenix's annotations were read from {others.name}."
    if not any(_is_annotation(row.values) for row in others.head):
        note = f"{others.name} beside {table.name} was not read: it holds no annotations of Phoenix."
        others = None
    noted = replace(table, notes=(*table.notes, note))
    return with_answers(noted, lambda without: _rows(noted, others, without))


def _rows(table: Table, others: Table | None, without: list[int]) -> RawRows:
    spans: list[TraceSpan] = []
    found: dict[str, list[tuple[str, dict[str, object]]]] = {}
    apart: list[tuple[RawRow, bool]] = []
    own_rows = ((raw, True) for raw in table.read())
    for raw, is_own in chain(own_rows, ((raw, False) for raw in rows_or_problem(others)) if others is not None else ()):
        if isinstance(raw, RowProblem):
            yield raw
            continue
        if _is_annotation(raw.values):
            apart.append((raw, is_own))
            continue
        span = _span(raw.values)
        if span is None:
            yield RowProblem(line=raw.line, reason="the span has no trace id or no span id")
            continue
        spans.append(span)
        for annotation in _annotations(raw.values):
            found.setdefault(span["trace_id"], []).append((span["span_id"], annotation))
    traces = {span["span_id"]: span["trace_id"] for span in spans}
    for raw, is_own in apart:
        span_id = next((text_of(raw.values[name]) for name in _SPAN_IDS if not is_missing(raw.values.get(name))), "")
        if span_id not in traces:
            if is_own:  # another file may have those of all spans
                yield RowProblem(line=raw.line, reason="the annotation is about a span that is not in the file")
            continue
        found.setdefault(traces[span_id], []).append((span_id, dict(raw.values)))
    rows, number_without = answer_rows(spans)
    without.append(number_without)
    answers = Counter(row["trace_id"] for row in rows)
    for number, row in enumerate(rows, start=1):
        own = [
            annotation
            for span_id, annotation in found.get(str(row["trace_id"]), [])
            if span_id == row["span_id"] or answers[row["trace_id"]] == 1
        ]
        cells = score_cells(map(named_annotation, own), prefix=_PREFIX)
        yield RawRow(number, {**row, **cells, **({_FOUND: own} if own else {})})


def _is_annotation(values: Mapping[str, object]) -> bool:
    """Return whether a row is an annotation of a span, as they are exported apart from the spans."""
    return not is_missing(values.get("annotator_kind")) and "parent_id" not in values


def _span(values: Mapping[str, object]) -> TraceSpan | None:
    context = as_object(values.get("context"))
    attributes = dict(as_object(values.get("attributes")))
    attributes |= {
        name.removeprefix(_ATTRIBUTES): value for name, value in values.items() if name.startswith(_ATTRIBUTES)
    }
    kind = values.get("span_kind")
    if not is_missing(kind):
        attributes.setdefault("openinference.span.kind", kind)
    return make_span(
        trace_id=context.get("trace_id", values.get("context.trace_id")),
        span_id=context.get("span_id", values.get("context.span_id")),
        parent_id=values.get("parent_id"),
        name=values.get("name"),
        start=values.get("start_time"),
        end=values.get("end_time"),
        attributes={str(name): value for name, value in attributes.items()},
        events=values.get("events"),
    )


def _annotations(values: Mapping[str, object]) -> Iterator[dict[str, object]]:
    for item in as_list(values.get(_FOUND)):
        if (annotation := as_object(item)).get("name"):
            yield dict(annotation)
    columns: dict[str, dict[str, object]] = {}
    for column, value in values.items():
        name, _, field = column.removeprefix(_PREFIX).rpartition(".")
        if column.startswith(_PREFIX) and name and not is_missing(value):
            columns.setdefault(name, {})[field] = value
    for name, result in columns.items():
        yield {"name": name, "result": result}


def judged(row: Row) -> Judged:
    """Return the evaluation with its explanation; what people said are annotations."""
    scores = [named_annotation(as_object(item)) for item in as_list(row.at(_FOUND))]
    return judged_by_names(row, scores, prefix=_PREFIX)


READER = Reader(name="phoenix-spans", title="Phoenix (spans)", recognise=recognise, open=open_rows, judged=judged)
