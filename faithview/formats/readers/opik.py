"""Opik's traces with spans and feedback scores: from its command line, its REST interface or CSV.

Opik does not mark retrievers: a span counts as one if its name says so or says that it searches.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.reading.named_scores import NamedScore, judged_by_names, match_by_names, score_cells
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.values import as_list, as_object, as_time, text_of
from faithview.formats.rows.cells import is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.spans.steps import STEPS_LEFT_OUT, Step, answer_cells, map_trace, text_in

_PREFIX = "feedback."
_SCORES, _SPANS, _ITEM = "feedback_scores", "spans", "dataset_item_data"
# The name of Opik's own metric: 1 means a hallucination.
_OWN_HALLUCINATION = f"{_PREFIX}hallucination_metric"
_OF_TRACE, _OF_SPAN, _OF_ITEM = "trace_", "span_", "item_"


def recognise(table: Table) -> Match | None:
    """Return a match for Opik's traces, spans and items of experiments, else None."""
    kind = _kind_of(table)
    if kind is None:
        return None
    opened = open_rows(table)
    columns = opened.columns
    mapping = ColumnMapping(
        key="id" if "id" in columns else None,
        reference="reference" if "reference" in columns else None,
        timestamp=next((name for name in ("start_time", "created_at") if name in columns), None),
        ignore=(_SPANS,) if _SPANS in columns else (),
    )
    mapping, asked = map_trace(opened, mapping, objects=("output", "input", "metadata", _ITEM))
    match = match_by_names(
        opened,
        mapping,
        tool="Opik",
        prefix=_PREFIX,
        score=0.95,
        why=_REASONS[kind],
        title="Opik experiment" if kind in ("experiment", "items", "item table") else "",
        asked=asked,
        warnings=(STEPS_LEFT_OUT,) if _SPANS in columns else (),
    )
    if _OWN_HALLUCINATION in columns and any(question.field == "map" for question in match.questions):
        return replace(match, mapping=replace(match.mapping, hallucination=_OWN_HALLUCINATION), questions=asked)
    return match


_REASONS = {
    "trace": "The keys 'trace' and 'spans' are those of a trace that Opik exports.",
    "traces": "The feedback scores next to 'input' and 'output' are those of Opik's traces.",
    "spans": "The spans name their trace and their parent as those of Opik do.",
    "span table": "Columns beginning with 'trace_' and 'span_' are those of Opik's export to CSV.",
    "experiment": "The keys 'experiment' and 'items' are those of an experiment that Opik exports.",
    "items": "The trace and the item of a data set next to the feedback scores are those of an experiment in Opik.",
    "item table": "Columns beginning with 'experiment_' and 'item_' are those of an experiment that Opik exports.",
}


def _kind_of(table: Table) -> str | None:
    return _kind(table.document) or _kind(table.columns)


def _kind(names: Collection[str] | None) -> str | None:
    columns = set(names or ())
    if {"trace", _SPANS} <= columns and "trace_id" not in columns:  # MLflow's tables have that column
        return "trace"
    if {"experiment", "items"} <= columns:
        return "experiment"
    if {"trace_id", "trace_input", "trace_output", "span_id"} <= columns:
        return "span table"
    if {"item_output", "item_feedback_scores"} <= columns:
        return "item table"
    if {"experiment_id", "dataset_item_id"} <= columns and columns & {"output", "evaluation_task_output"}:
        return "items"
    if {"trace_id", "parent_span_id", "input", "output"} <= columns:
        return "spans"
    has_sign = columns & {"span_count", "project_id", "project_name", "span_feedback_scores", "llm_span_count"}
    return "traces" if {"input", "output", _SCORES} <= columns and has_sign else None


def open_rows(table: Table) -> Table:
    """Return a row for each trace or item, with its answer, its chunks and its feedback scores."""
    kind = _kind_of(table)
    read, unit = table.read, table.unit
    if _kind(table.document):
        read, unit = (lambda: iter((RawRow(1, table.whole),))), "row"
    if kind == "experiment":
        return table.with_rows(lambda: _experiment_rows(table.whole))
    if kind in ("spans", "traces", "span table"):
        return table.with_rows(lambda: _joined(read()))
    make = {"trace": _exported_row, "items": _item_row, "item table": _table_row}[kind or "items"]
    return table.with_rows(lambda: _each(read(), make), unit=unit)


def _each(rows: RawRows, make: Callable[[Mapping[str, object]], dict[str, object]]) -> RawRows:
    for row in rows:
        yield row if isinstance(row, RowProblem) else RawRow(row.line, make(row.values))


def _experiment_rows(whole: Mapping[str, object]) -> RawRows:
    experiment = as_object(whole.get("experiment"))
    kept = {f"experiment_{name}": experiment[name] for name in ("name", "dataset_name") if experiment.get(name)}
    for number, item in enumerate(as_list(whole.get("items")), start=1):
        if not isinstance(item, Mapping):
            yield RowProblem(line=number, reason="the item is not a JSON object")
            continue
        yield RawRow(number, _item_row({**kept, **item}))


@dataclass(slots=True)
class _Trace:
    """The rows of one trace."""

    line: int
    values: dict[str, object] = field(default_factory=dict)
    spans: list[Mapping[str, object]] = field(default_factory=list)


def _joined(rows: RawRows) -> RawRows:
    """Join the rows of each trace: the trace itself, its spans, or both in each row of a table."""
    traces: dict[str, _Trace] = {}
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        parts = list(_split(row.values))
        if not parts:
            yield RowProblem(line=row.line, reason="it names no trace")
        for trace_id, is_span, values in parts:
            trace = traces.setdefault(trace_id, _Trace(row.line))
            if is_span:
                trace.spans.append(values)
            else:
                trace.values.update(values)
    for trace_id, trace in traces.items():
        inner = [as_object(span) for span in as_list(trace.values.pop(_SPANS, None))]
        yield RawRow(trace.line, _trace_row({"id": trace_id, **trace.values}, [*inner, *trace.spans]))


def _split(values: Mapping[str, object]) -> Iterator[tuple[str, bool, Mapping[str, object]]]:
    if "trace_input" in values:
        # Only the span's own columns; "span_count" is a column of the trace.
        trace = _without(values, _OF_TRACE)
        span = _without(values, _OF_SPAN)
        if trace_id := text_of(trace.get("id")):
            yield trace_id, False, trace
            if not is_missing(span.get("id")):
                yield trace_id, True, span
        return
    is_span = not is_missing(values.get("trace_id"))
    trace_id = text_of(values.get("trace_id") if is_span else values.get("id"))
    if trace_id:
        yield trace_id, is_span, values


def _without(values: Mapping[str, object], prefix: str) -> dict[str, object]:
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def _exported_row(values: Mapping[str, object]) -> dict[str, object]:
    rest = {name: value for name, value in values.items() if name not in ("trace", _SPANS)}
    spans = [as_object(span) for span in as_list(values.get(_SPANS))]
    return _trace_row({**rest, **as_object(values.get("trace"))}, spans)


def _trace_row(values: Mapping[str, object], spans: Sequence[Mapping[str, object]]) -> dict[str, object]:
    cells = answer_cells([_step(span) for span in spans], asked=values.get("input"), gave=values.get("output"))
    listed = [score for span in spans for score in _scores_in(span)] + _scores_in(values)
    return {
        **values,
        **cells,
        **({_SPANS: [dict(span) for span in spans]} if spans else {}),
        _SCORES: listed,
        **score_cells(map(_named, listed), prefix=_PREFIX),
    }


def _table_row(values: Mapping[str, object]) -> dict[str, object]:
    rest = {name: value for name, value in values.items() if not name.startswith(_OF_ITEM)}
    return _item_row({**rest, **_without(values, _OF_ITEM)})


def _item_row(values: Mapping[str, object]) -> dict[str, object]:
    item = as_object(values.get(_ITEM))
    asked = values.get("input") if not is_missing(values.get("input")) else item
    gave = values.get("output") if not is_missing(values.get("output")) else values.get("evaluation_task_output")
    row = _trace_row({**values, "input": asked, "output": gave}, [])
    expected = next((item[name] for name in ("expected_output", "reference", "expected") if item.get(name)), None)
    reference = text_in("answer", expected)
    return {**row, **({"reference": reference} if reference else {})}


def _step(span: Mapping[str, object]) -> Step:
    kind = text_of(span.get("type")).lower()
    return Step(
        step_id=text_of(span.get("id")),
        parent_id=text_of(span.get("parent_span_id")),
        kind=kind if kind in ("llm", "retriever") else "",
        name=text_of(span.get("name")),
        start=span.get("start_time"),
        end=span.get("end_time"),
        input=span.get("input"),
        output=span.get("output"),
    )


def _scores_in(values: Mapping[str, object]) -> list[dict[str, object]]:
    return [dict(item) for item in map(as_object, as_list(values.get(_SCORES))) if item.get("name")]


def _named(item: Mapping[str, object]) -> NamedScore:
    # Scores set by people in Opik have the source "ui", those of its own judges "online_scoring".
    is_human = text_of(item.get("source")).lower() == "ui"
    return NamedScore(
        name=text_of(item.get("name")),
        value=item.get("value"),
        reason=text_of(item.get("reason")),
        judge=text_of(item.get("last_updated_by") or item.get("created_by")) if is_human else "",
        is_human=is_human,
        at=as_time(item.get("last_updated_at") or item.get("created_at")),
    )


def judged(row: Row) -> Judged:
    """Return the feedback score with its reason; human scores become annotations."""
    return judged_by_names(row, [_named(as_object(item)) for item in as_list(row.at(_SCORES))], prefix=_PREFIX)


READER = Reader(name="opik", title="Opik", recognise=recognise, open=open_rows, judged=judged)
