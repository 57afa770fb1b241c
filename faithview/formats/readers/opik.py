"""Opik: traces with spans and feedback scores, and experiments, from its command `opik export` or its REST interface.

Opik does not mark retrievers: a span counts as one if its name says so or says that it searches.
"""

from collections.abc import Iterator

from faithview.formats.readers.traces import Part, Record, TraceTool, objects_in, reader_of
from faithview.formats.reading.named_scores import NamedScore
from faithview.formats.reading.values import as_object, as_time, text_of
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.spans.steps import Step

_SIGNS = (
    {"trace.id", "spans"},
    {"experiment", "items"},
    {"experiment_id", "dataset_item_id"},
    {"trace_id", "parent_span_id", "input", "output"},
    *({"input", "output", "feedback_scores", name} for name in ("project_id", "project_name", "span_count")),
)


def _parts(record: Record) -> Iterator[Part]:
    if "items" in record:
        experiment = as_object(record.get("experiment"))
        kept = {f"experiment_{name}": experiment[name] for name in ("name", "dataset_name") if experiment.get(name)}
        for item in objects_in(record["items"]):
            yield _item_part({**kept, **item})
    elif "dataset_item_id" in record:
        yield _item_part(record)
    elif "trace" in record:
        rest = {name: value for name, value in record.items() if name not in ("trace", "spans")}
        trace, spans = as_object(record["trace"]), objects_in(record.get("spans"))
        scores = [score for span in spans for score in _scores(span, about=span.get("id"))]
        yield Part(values={**rest, **trace}, steps=spans, scores=[*scores, *_scores(trace)])
    elif not is_missing(record.get("trace_id")):
        yield Part(trace_id=text_of(record["trace_id"]), steps=[record], scores=_scores(record, about=record.get("id")))
    elif not is_missing(record.get("id")):
        yield Part(trace_id=text_of(record["id"]), values=dict(record), scores=_scores(record))
    else:
        raise BadCell("the record has no id and names no trace")


def _item_part(item: Record) -> Part:
    """Return the answer to an item of a data set."""
    data, output = as_object(item.get("dataset_item_data")), item.get("evaluation_task_output")
    right = next((data[name] for name in ("expected_output", "reference", "expected") if data.get(name)), None)
    values = {
        **item,
        "input": data if is_missing(item.get("input")) else item["input"],
        "output": output if is_missing(item.get("output")) else item["output"],
    }
    return Part(values=values, right=right, scores=_scores(item))


def _scores(holder: Record, about: object = "") -> list[Record]:
    found = [item for item in objects_in(holder.get("feedback_scores")) if item.get("name")]
    return [{**item, "span_id": about} for item in found] if about else found


def _step(span: Record) -> Step:
    kind = text_of(span.get("type")).lower()
    return Step(
        step_id=text_of(span.get("id")),
        parent_id=text_of(span.get("parent_span_id")),
        kind=kind if kind in ("llm", "retriever") else "",
        name=text_of(span.get("name")),
        start=as_time(span.get("start_time")),
        end=as_time(span.get("end_time")),
        input=span.get("input"),
        output=span.get("output"),
    )


def _score(item: Record) -> NamedScore:
    # Scores set by people in Opik have the source "ui", those of its own judges "online_scoring".
    is_human = text_of(item.get("source")).lower() == "ui"
    return NamedScore(
        name=text_of(item.get("name")),
        value=item.get("value"),
        reason=text_of(item.get("reason")),
        judge=text_of(item.get("last_updated_by") or item.get("created_by")) if is_human else "",
        is_human=is_human,
        at=as_time(item.get("last_updated_at") or item.get("created_at")),
        about=text_of(item.get("span_id")),
    )


READER = reader_of(
    TraceTool(
        name="opik",
        title="Opik",
        signs=_SIGNS,
        parts=_parts,
        step=_step,
        score=_score,
        prefix="feedback.",
        steps="spans",
        scores="feedback_scores",
        timestamps=("start_time", "created_at"),
        objects=("output", "input", "metadata", "dataset_item_data"),
        # Opik's own metric: 1 means a hallucination.
        hallucination="hallucination_metric",
    )
)
