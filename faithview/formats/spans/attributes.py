"""Reads a span's attributes and events as a step: its kind, its input, and its output or its documents.

It reads OpenTelemetry's conventions for generative AI (`gen_ai.*` attributes, and the events of older versions),
OpenInference (Phoenix, LlamaIndex, LangChain) and OpenLLMetry.
https://github.com/open-telemetry/semantic-conventions-genai
https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from faithview.domain.mapping import Field
from faithview.formats.reading.values import as_object, text_of
from faithview.formats.rows.cells import value_at
from faithview.formats.spans.steps import MODEL, OTHER, RERANKER, RETRIEVER, Step, items_of, message_text, text_in

_KINDS = {
    **dict.fromkeys(("retriever", "retrieval"), RETRIEVER),
    **dict.fromkeys(("reranker", "rerank"), RERANKER),
    **dict.fromkeys(("llm", "chat", "completion", "text_completion", "generate_content"), MODEL),
}
_KIND_NAMES = ("openinference.span.kind", "gen_ai.operation.name", "llm.request.type", "traceloop.span.kind")
_DOCUMENTS, _RERANKED = ("retrieval.documents", "gen_ai.retrieval.documents"), ("reranker.output_documents",)
_VECTOR_STORE_EVENTS = ("db.query.result", "db.search.result")
_INPUTS = ("input.value", "traceloop.entity.input", "gen_ai.retrieval.query.text", "reranker.query")
_OUTPUTS = ("output.value", "traceloop.entity.output")
_ASKED = ("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "llm.prompts")
_SAID = ("gen_ai.output.messages", "llm.output_messages", "gen_ai.completion", "llm.completions")
_ASKED_EVENTS = ("gen_ai.user.message", "gen_ai.content.prompt")
_SAID_EVENTS = ("gen_ai.choice", "gen_ai.content.completion")
# Stored with an answer, under these names.
_DETAILS = {
    "model": ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name"),
    "conversation": ("gen_ai.conversation.id", "session.id"),
}
_MOST_LEVELS = 16

Events = Sequence[Mapping[str, object]]


def with_content(step: Step, attributes: Mapping[str, object], events: Events = ()) -> Step:
    """Return a span's step with its kind, input, output (of a retriever or a reranker its documents) and details.

    Args:
        step: the step, without these but for details of the program.
        attributes: with dotted names, flat or nested; lists as a whole, as JSON, or item by item under "NAME.0.…".
        events: its events, each with a name and attributes.
    """
    nested = _nested(attributes)
    kinds = (_KINDS.get(text_of(value_at(nested, name)).lower()) for name in _KIND_NAMES)
    kind = next(filter(None, kinds), OTHER)
    documents = _first_list(nested, _RERANKED if kind == RERANKER else _DOCUMENTS) or _vector_store_results(events)
    if kind == OTHER and documents:
        kind = RETRIEVER
    # The event of a user's message does not say whose it is.
    asked = [{"role": "user", **as_object(item)} for item in _messages(nested, _ASKED, events, _ASKED_EVENTS)]
    said = map(message_text, _messages(nested, _SAID, events, _SAID_EVENTS))
    inputs = (*(value_at(nested, name) for name in _INPUTS), asked)
    outputs = (*said, *(value_at(nested, name) for name in _OUTPUTS))
    found = documents if kind in (RETRIEVER, RERANKER) else _first_text("answer", outputs)
    named = {key: [text_of(value_at(nested, name)) for name in names] for key, names in _DETAILS.items()}
    details = {**step.details, **{key: next(filter(None, texts)) for key, texts in named.items() if any(texts)}}
    return replace(step, kind=kind, input=_first_text("question", inputs), output=found, details=details)


def _first_text(field: Field, values: Sequence[object]) -> str | None:
    return next((text for value in values if (text := text_in(field, value))), None)


def _nested(attributes: Mapping[str, object]) -> dict[str, object]:
    """Return attributes with dotted names as objects inside each other, also in lists."""
    made: dict[str, object] = {}
    for name, value in attributes.items():
        into: object = made
        *path, last = name.split(".", _MOST_LEVELS)
        for part in path:
            into = into.setdefault(part, {}) if isinstance(into, dict) else None
        if isinstance(into, dict):  # else an attribute of that name is a text
            items = value if isinstance(value, list) else []
            into.setdefault(last, [_nested(i) if isinstance(i, Mapping) else i for i in items] or value)
    return made


def _first_list(attributes: Mapping[str, object], names: Sequence[str]) -> list[object]:
    return next((found for name in names if (found := items_of(value_at(attributes, name)))), [])


def _vector_store_results(events: Events) -> list[object]:
    """Return the documents that a vector store recorded as an event each: {"db.query.result.document": ...}."""
    found = [
        _nested(as_object(event.get("attributes"))) for event in events if event.get("name") in _VECTOR_STORE_EVENTS
    ]
    return [value_at(item, name) for item in found for name in _VECTOR_STORE_EVENTS if value_at(item, name)]


def _messages(
    attributes: Mapping[str, object],
    names: Sequence[str],
    events: Events,
    event_names: Sequence[str],
) -> list[object]:
    """Return the messages of an attribute or, as in older conventions, of events."""
    found = _first_list(attributes, names)
    for event in events if not found else ():
        held = _nested(as_object(event.get("attributes")))
        found = found + (_first_list(held, names) or ([held] if event.get("name") in event_names else []))
    return found
