"""The answers of traces as rows of a table, and spans from tools' exports."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from faithview.domain.errors import UnreadableFile
from faithview.domain.sample import Chunk, Json, Sample
from faithview.formats.files.tables import RawRows, Table
from faithview.formats.rows.cells import as_json, is_missing, parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.timestamps import parse_timestamp
from faithview.formats.spans.answers import answers_in
from faithview.formats.spans.otlp import SpanEvent, TraceSpan

# The mapping for the rows of `answer_rows`.
ANSWER_COLUMNS = ColumnMapping(
    question="question", answer="answer", contexts=("contexts",), key="key", timestamp="timestamp", ignore=("spans",)
)
SPANS_LEFT_OUT = "The spans themselves are not stored with the answers by default (--map ignore= keeps them)."


def answer_rows(spans: Iterable[TraceSpan]) -> tuple[list[dict[str, object]], int]:
    """Return a row for each answer in the spans, with the spans of its trace under "spans".

    The second value is the number of traces with a model's reply and no retrieval, which have no row.
    """
    kept = list(spans)
    traces: dict[str, list[TraceSpan]] = {}
    for span in kept:
        traces.setdefault(span["trace_id"], []).append(span)
    found = answers_in(kept)
    rows = [_sample_row(sample, traces.get(str(sample.extra.get("trace_id")), [])) for sample in found.samples]
    return rows, found.without_chunks


def with_answers(table: Table, read: Callable[[list[int]], RawRows]) -> Table:
    """Return a file with the answers in its spans as rows; its note says how many traces have answers and no documents.

    Args:
        table: the file.
        read: starts a pass over the rows; it adds the second value of `answer_rows` to the list before the first row.

    Raises:
        UnreadableFile: there are no rows.
    """
    without: list[int] = []
    try:
        opened = table.with_rows(lambda: read(without))
    except UnreadableFile as error:
        if not any(without):
            raise
        raise UnreadableFile(f"{table.name} has {_traces(without[0])} with an answer, none with documents.") from error
    if not any(without):
        return opened
    note = f"Left out: {_traces(without[0])} with an answer and no documents."
    return replace(opened, notes=(*opened.notes, note))


def _traces(number: int) -> str:
    return f"{number:,} trace{'' if number == 1 else 's'}"


def make_span(
    *,
    trace_id: object,
    span_id: object,
    parent_id: object = None,
    name: object = "",
    start: object = None,
    end: object = None,
    attributes: Mapping[str, object],
    events: object = None,
) -> TraceSpan | None:
    """Return a span from a tool's data; None if it names no trace or no span. Times may have any format."""
    if is_missing(trace_id) or is_missing(span_id):
        return None
    return {
        "trace_id": str(trace_id),
        "span_id": str(span_id),
        "parent_id": "" if is_missing(parent_id) else str(parent_id),
        "name": "" if is_missing(name) else str(name),
        "start": _nanoseconds(start),
        "end": _nanoseconds(end),
        "attributes": {
            key: _nested(as_json(parsed(value))) for key, value in attributes.items() if not is_missing(value)
        },
        "events": _events(parsed(events)),
        "resource": {},
    }


def chunk_cell(chunk: Chunk) -> dict[str, object]:
    """Return a chunk in the form of a cell of contexts."""
    return {
        "text": chunk.text,
        "chunk_id": chunk.chunk_id,
        **({"score": chunk.score} if chunk.score is not None else {}),
        "metadata": dict(chunk.metadata),
    }


def _sample_row(sample: Sample, spans: list[TraceSpan]) -> dict[str, object]:
    return {
        "question": sample.question,
        "answer": sample.answer,
        "contexts": [chunk_cell(chunk) for chunk in sample.chunks],
        "key": sample.key,
        "timestamp": sample.timestamp.isoformat() if sample.timestamp else None,
        **sample.extra,
        "spans": [dict(span) for span in spans],
    }


def _nanoseconds(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 10**17:
        return value
    moment = parse_timestamp(value) if not is_missing(value) else None
    return 0 if moment is None else int(moment.at.timestamp() * 1_000_000) * 1000


def _events(value: object) -> list[SpanEvent]:
    found: list[SpanEvent] = []
    for item in value if isinstance(value, list) else ():
        if isinstance(item, Mapping):
            attributes = parsed(item.get("attributes"))
            found.append(
                {
                    "name": str(item.get("name", "")),
                    "attributes": {str(key): as_json(inner) for key, inner in attributes.items()}
                    if isinstance(attributes, Mapping)
                    else {},
                }
            )
    return found


def _nested(value: Json) -> Json:
    """Return the value with objects in lists nested: {"document.content": ...} is a document with a content."""
    if isinstance(value, list):
        return [_nested_item(item) for item in value]
    return value


def _nested_item(item: Json) -> Json:
    if not isinstance(item, dict):
        return item
    nested: dict[str, Json] = {}
    for name, value in item.items():
        *path, last = name.split(".")
        into = nested
        for part in path:
            inner = into.setdefault(part, {})
            if not isinstance(inner, dict):
                break
            into = inner
        else:
            into[last] = value
    return nested
