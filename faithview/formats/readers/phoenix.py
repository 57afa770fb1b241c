"""Phoenix: spans with annotations, and its evaluations and experiments."""

from collections.abc import Iterator

from faithview.domain.mapping import Field
from faithview.formats.files.aliases import find_columns
from faithview.formats.readers.traces import CONTEXTS, REFERENCE, Part, Record, TraceTool, objects_in, reader_of
from faithview.formats.reading.named_scores import NamedScore
from faithview.formats.reading.values import as_list, as_object, as_time, text_of
from faithview.formats.rows.cells import BadCell, is_missing, parsed
from faithview.formats.spans.attributes import with_content
from faithview.formats.spans.steps import Step

_ATTRIBUTES, _SCORE, _DETAILS, _PREFIX = "attributes.", "_score", "_execution_details", "eval."


def _span_parts(record: Record) -> Iterator[Part]:
    context = as_object(record.get("context"))
    trace_id = text_of(context.get("trace_id", record.get("context.trace_id")))
    span_id = text_of(context.get("span_id", record.get("context.span_id")))
    if not is_missing(record.get("annotator_kind")) and "parent_id" not in record:
        # An annotation that was exported separately from the spans.
        yield Part(about=span_id or text_of(record.get("span_id")), scores=[record])
        return
    if not trace_id or not span_id:
        raise BadCell("the span has no trace id or no span id")
    found = [item for item in objects_in(record.get("annotations")) if item.get("name")]
    scores: list[Record] = [{**item, "span_id": span_id} for item in (*found, *_in_columns(record))]
    yield Part(trace_id=trace_id, steps=[record], scores=scores)


def _in_columns(record: Record) -> Iterator[Record]:
    """Yield the evaluations in columns such as `eval.Relevance.score`."""
    columns: dict[str, dict[str, object]] = {}
    for column, value in record.items():
        name, _, key = column.removeprefix(_PREFIX).rpartition(".")
        if column.startswith(_PREFIX) and name and not is_missing(value):
            columns.setdefault(name, {})[key] = value
    yield from ({"name": name, "result": result} for name, result in columns.items())


def _attributes(record: Record) -> dict[str, object]:
    """Return the attributes of a span, whose values may be JSON."""
    named = {name.removeprefix(_ATTRIBUTES): value for name, value in record.items() if name.startswith(_ATTRIBUTES)}
    kind = {} if is_missing(record.get("span_kind")) else {"openinference.span.kind": record["span_kind"]}
    held = {**kind, **as_object(record.get("attributes")), **named}
    return {name: parsed(value) for name, value in held.items() if not is_missing(value)}


def _step(record: Record) -> Step:
    context = as_object(record.get("context"))
    step = Step(
        step_id=text_of(context.get("span_id", record.get("context.span_id"))),
        parent_id=text_of(record.get("parent_id")),
        name=text_of(record.get("name")),
        start=as_time(record.get("start_time")),
        end=as_time(record.get("end_time")),
    )
    return with_content(step, _attributes(record), objects_in(record.get("events")))


def _score_of(item: Record) -> NamedScore:
    """Return an annotation or an evaluation; for a hallucination its label counts, as the number's direction varies."""
    result = {**item, **as_object(item.get("result"))}
    name = text_of(item.get("annotation_name") or item.get("name"))
    is_human = text_of(item.get("annotator_kind")).upper() == "HUMAN"
    person = text_of(item.get("identifier") or item.get("user_id"))
    model = text_of(as_object(item.get("metadata")).get("model"))
    label, score = result.get("label"), result.get("score")
    prefers_label = "hallucinat" in name.lower() or is_missing(score)
    return NamedScore(
        name=name,
        value=label if prefers_label and not is_missing(label) else score,
        reason=text_of(result.get("explanation")),
        judge=person if is_human else f"Phoenix ({model})" if model else "",
        is_human=is_human,
        at=as_time(item.get("updated_at") or item.get("created_at")),
        error=text_of(item.get("error")),
        about=text_of(item.get("span_id")),
    )


SPANS_READER = reader_of(
    TraceTool(
        name="phoenix-spans",
        title="Phoenix (spans)",
        signs=({"context.span_id", "attributes.*"}, {"span_id", "annotator_kind"}),
        parts=_span_parts,
        step=_step,
        score=_score_of,
        prefix=_PREFIX,
        steps="spans",
        scores="annotations",
        beside="annotations.jsonl",
    )
)


def _evaluated(record: Record) -> Iterator[Part]:
    if "repetition_number" in record:
        scores = objects_in(record.get("annotations"))
        yield Part(values=dict(record), right=record.get("reference_output"), scores=scores)
        return
    fields: dict[str, Field] = {"input": "question", "output": "answer", CONTEXTS: "contexts", REFERENCE: "reference"}
    named = {name: find_columns(field, list(record)) for name, field in fields.items()}
    found = {name: record[columns[0]] for name, columns in named.items() if columns}
    yield Part(values={**record, **found}, scores=list(_evaluations(record)))


def _evaluations(record: Record) -> Iterator[Record]:
    for column, cell in record.items():
        name = column.removesuffix(_SCORE)
        if not column.endswith(_SCORE) or f"{name}{_DETAILS}" not in record:
            continue
        details = as_object(record[f"{name}{_DETAILS}"])
        exceptions, status = as_list(details.get("exceptions")), text_of(details.get("status"))
        why = text_of(exceptions[-1]) if exceptions else f"Phoenix did not run it: {status or 'no status'}."
        yield {**(as_object(cell) or {"score": cell, "error": "" if status == "COMPLETED" else why}), "name": name}


READER = reader_of(
    TraceTool(
        name="phoenix",
        title="Phoenix (evaluations)",
        signs=(
            {"example_id", "repetition_number", "input", "output", "annotations"},
            {f"*{_DETAILS}", f"*{_SCORE}"},
        ),
        parts=_evaluated,
        score=_score_of,
        prefix=_PREFIX,
        steps="spans",
        scores="annotations",
        keys=("example_id", "context.span_id", "span_id", "id"),
        timestamps=("start_time",),
        objects=("output", "input"),
    )
)
