"""MLflow 3: traces, tables of `search_traces`, and the results of `mlflow.genai.evaluate`."""

from collections.abc import Iterator

from faithview.formats.readers.traces import Part, Record, TraceTool, objects_in, reader_of
from faithview.formats.reading.named_scores import NamedScore
from faithview.formats.reading.values import as_object, as_time, text_of, unquoted
from faithview.formats.rows.cells import parsed
from faithview.formats.spans.steps import MODEL, RERANKER, RETRIEVER, Step

_KINDS = {"RETRIEVER": RETRIEVER, "RERANKER": RERANKER, "LLM": MODEL, "CHAT_MODEL": MODEL}
_EXPECTED = "expected_response"
_SIGNS = (
    {"info.trace_id", "data"},
    *({"trace_id", "request", "response", name} for name in ("assessments", "spans", "trace_metadata")),
)


def _parts(record: Record) -> Iterator[Part]:
    info, trace = as_object(record.get("info")), as_object(record.get("trace"))
    data = as_object(record.get("data") or trace.get("data"))
    spans = objects_in(data.get("spans") or record.get("spans"))
    left_out = ("info", "data", "trace", "spans", "assessments")
    values = {name: value for name, value in {**info, **record}.items() if name not in left_out}
    if not spans:
        # Long texts are cut off in a preview.
        values = {"request": values.get("request_preview"), "response": values.get("response_preview"), **values}
    holders = (record, info, as_object(trace.get("info")))
    scores = next((found for holder in holders if (found := objects_in(holder.get("assessments")))), [])
    yield Part(values=values, steps=spans, scores=scores)


def _step(span: Record) -> Step:
    # The attributes' values are JSON texts.
    attributes = {name: parsed(unquoted(value)) for name, value in as_object(span.get("attributes")).items()}
    return Step(
        step_id=text_of(span.get("span_id")),
        parent_id=text_of(span.get("parent_span_id", span.get("parent_id"))),
        kind=_KINDS.get(text_of(attributes.get("mlflow.spanType")), ""),
        name=text_of(span.get("name")),
        start=as_time(span.get("start_time_unix_nano", span.get("start_time"))),
        end=as_time(span.get("end_time_unix_nano", span.get("end_time"))),
        input=attributes.get("mlflow.spanInputs"),
        output=attributes.get("mlflow.spanOutputs"),
    )


def _score(item: Record) -> NamedScore:
    feedback, source = as_object(item.get("feedback")), as_object(item.get("source"))
    name, kind, author = (
        text_of(value) for value in (item.get("assessment_name"), source.get("source_type"), source.get("source_id"))
    )
    is_model = kind.upper() == "LLM_JUDGE" and bool(author)
    is_human, is_expectation = kind.upper() == "HUMAN", "expectation" in item
    counts = item.get("valid") is not False and (name == _EXPECTED or not is_expectation)
    return NamedScore(
        name=name if counts else "",
        value=as_object(item.get("expectation")).get("value") if is_expectation else feedback.get("value"),
        reason=text_of(item.get("rationale")),
        judge=author if is_human else f"MLflow ({author})" if is_model else "",
        is_human=is_human,
        at=as_time(item.get("last_update_time") or item.get("create_time")),
        error=text_of(as_object(feedback.get("error")).get("error_message")),
        is_reference=counts and is_expectation,
    )


READER = reader_of(
    TraceTool(
        name="mlflow",
        title="MLflow",
        signs=_SIGNS,
        parts=_parts,
        step=_step,
        score=_score,
        prefix="assessment.",
        steps="spans",
        scores="assessments",
        asked="request",
        gave="response",
        keys=("trace_id",),
        timestamps=("request_time",),
    )
)
