"""Reads a span's attributes: its kind of step, its documents, its question and its answer.

It reads OpenTelemetry's conventions for generative AI (`gen_ai.*` attributes, and the events of older versions),
OpenInference (Phoenix, LlamaIndex, LangChain) and OpenLLMetry.
https://github.com/open-telemetry/semantic-conventions-genai
https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias, cast

from faithview.domain.mapping import Field
from faithview.domain.sample import Chunk, Json
from faithview.formats.files.aliases import find_columns
from faithview.formats.limits import load_json
from faithview.formats.rows.cells import BadCell
from faithview.formats.rows.contexts import AS_JSON, ContextReader
from faithview.formats.spans.otlp import TraceSpan


class Step(StrEnum):
    """The kinds of steps that matter here."""

    RETRIEVAL = "retrieval"
    RERANKING = "reranking"
    GENERATION = "generation"
    OTHER = "other"


Attributes: TypeAlias = Mapping[str, Json]

_STEPS = {
    "retriever": Step.RETRIEVAL,
    "retrieval": Step.RETRIEVAL,
    "reranker": Step.RERANKING,
    "rerank": Step.RERANKING,
    "llm": Step.GENERATION,
    "chat": Step.GENERATION,
    "completion": Step.GENERATION,
    "text_completion": Step.GENERATION,
    "generate_content": Step.GENERATION,
}
_KIND_NAMES = ("openinference.span.kind", "gen_ai.operation.name", "llm.request.type", "traceloop.span.kind")
_DOCUMENT_LISTS = ("retrieval.documents", "gen_ai.retrieval.documents")
_RERANKED_LIST = "reranker.output_documents"
_VECTOR_STORE_EVENTS = ("db.query.result", "db.search.result")
_QUERY_NAMES = ("gen_ai.retrieval.query.text", "reranker.query")
_INPUT_LISTS = ("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "llm.prompts")
_OUTPUT_LISTS = ("gen_ai.output.messages", "llm.output_messages", "gen_ai.completion", "llm.completions")
_INPUT_VALUES, _OUTPUT_VALUES = ("input.value", "traceloop.entity.input"), ("output.value", "traceloop.entity.output")
_TEXT_PARTS = ("text", "output_text", "input_text", "")
_NUMBER = re.compile(r"\d{1,6}")
# A list inside an object inside a message; nothing deeper is an answer.
_MOST_LEVELS = 6


def flat(attributes: Attributes) -> dict[str, Json]:
    """Return the attributes under dotted names, whether they are nested or not. Lists are unchanged."""
    named: dict[str, Json] = {}
    waiting = list(attributes.items())[::-1]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict) and value:
            waiting += [(f"{name}.{key}", inner) for key, inner in list(value.items())[::-1]]
        else:
            named[name] = value
    return named


def step_of(span: TraceSpan, attributes: Attributes) -> Step:
    """Return the span's kind of step, from its name or else its content."""
    for name in _KIND_NAMES:
        value = attributes.get(name)
        if isinstance(value, str) and (step := _STEPS.get(value.lower())) is not None:
            return step
    if any(name in attributes or any(key.startswith(f"{name}.") for key in attributes) for name in _DOCUMENT_LISTS):
        return Step.RETRIEVAL
    if any(event["name"] in _VECTOR_STORE_EVENTS for event in span["events"]):
        return Step.RETRIEVAL
    return Step.OTHER


def documents_of(span: TraceSpan, attributes: Attributes) -> tuple[Chunk, ...]:
    """Return the documents that the span found, in order; those with only a recorded id are left out."""
    names = (_RERANKED_LIST,) if step_of(span, attributes) is Step.RERANKING else _DOCUMENT_LISTS
    items = next((found for name in names if (found := _items(attributes, name))), [])
    if not items:
        prefixes = tuple(f"{name}." for name in _VECTOR_STORE_EVENTS)
        items = [
            {name.rpartition(".")[2]: value for name, value in event["attributes"].items() if name.startswith(prefixes)}
            for event in span["events"]
            if event["name"] in _VECTOR_STORE_EVENTS
        ]
    return tuple(chunk for item in items for chunk in _chunks(item))


def query_of(attributes: Attributes) -> str | None:
    """Return the query of a retriever."""
    for name in _QUERY_NAMES:
        value = attributes.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return None


def question_of(span: TraceSpan, attributes: Attributes) -> str | None:
    """Return the question: the span's input if it is plain text or names a question, else the last user message."""
    told = next((text for name in _INPUT_VALUES if (text := _value_text(attributes.get(name), "question"))), None)
    if told is not None:
        return told
    messages = next((found for name in _INPUT_LISTS if (found := _items(attributes, name))), [])
    messages = messages or list(_event_messages(span, "gen_ai.user.message", "gen_ai.content.prompt", "gen_ai.prompt"))
    asked = [text for message in messages if _role(message) == "user" and (text := message_text(message))]
    return asked[-1] if asked else None


def answer_of(span: TraceSpan, attributes: Attributes) -> str | None:
    """Return the span's output text: the first choice of a model's reply, without reasoning and tool calls."""
    for name in _OUTPUT_LISTS:
        for message in _items(attributes, name):
            if _role(message) in ("assistant", "") and (text := message_text(message)):
                return text
    for message in _event_messages(span, "gen_ai.choice", "gen_ai.content.completion", "gen_ai.completion"):
        if text := message_text(message):
            return text
    for event in span["events"]:
        for message in _items(event["attributes"], "gen_ai.output.messages"):
            if text := message_text(message):
                return text
    return next((told for name in _OUTPUT_VALUES if (told := _value_text(attributes.get(name), "answer"))), None)


def message_text(message: Json, level: int = 0) -> str:
    """Return the text of a message in any of the conventions' shapes; "" if it has none."""
    if level > _MOST_LEVELS:
        return ""
    if isinstance(message, str):
        return message.strip() and message
    if isinstance(message, list):
        return "".join(message_text(part, level + 1) for part in message)
    if not isinstance(message, dict):
        return ""
    kind = message.get("type", message.get("message_content.type", ""))
    if isinstance(kind, str) and kind not in _TEXT_PARTS and "role" not in message and "parts" not in message:
        return ""  # reasoning, a tool's call or its reply, an image
    for name in ("parts", "message", "content", "text", "message_content", "contents"):
        if name in message and (text := message_text(_parsed(message[name]), level + 1)):
            return text
    return ""


def _value_text(value: Json, field: Field) -> str | None:
    """Return a recorded input or output as text: unchanged, or a JSON object's value under a known name."""
    parsed = _parsed(value)
    if isinstance(parsed, str):
        return parsed if parsed.strip() else None
    for _ in range(_MOST_LEVELS):
        if not isinstance(parsed, dict):
            break
        columns = find_columns(field, list(parsed))
        parsed = next((parsed[name] for name in columns if parsed[name]), parsed.get("content", parsed.get("text")))
    return parsed if isinstance(parsed, str) and parsed.strip() else None


def _event_messages(span: TraceSpan, *names: str) -> Iterator[Json]:
    """Yield the messages in a span's events: in older conventions each is a separate event."""
    for event in span["events"]:
        if event["name"] not in names:
            continue
        attributes = event["attributes"]
        held = [attributes.get(name) for name in names if attributes.get(name)]
        for value in held:
            parsed = _parsed(value)
            yield from parsed if isinstance(parsed, list) else [parsed]
        if not held:
            role = "user" if event["name"] == "gen_ai.user.message" else "assistant"
            yield {"role": role, **{name: _parsed(value) for name, value in attributes.items()}}


def _role(message: Json) -> str:
    role = message.get("role", "") if isinstance(message, dict) else ""
    if not role and isinstance(message, dict) and isinstance(inner := message.get("message"), dict):
        role = inner.get("role", "")
    return role.lower() if isinstance(role, str) else ""


def _items(attributes: Attributes, name: str) -> list[Json]:
    """Return a list that is recorded as a whole, as JSON, or item by item under "NAME.0.…", "NAME.1.…"."""
    whole = _parsed(attributes.get(name))
    if isinstance(whole, list):
        return whole
    prefix = f"{name}."
    numbered: dict[int, dict[str, Json]] = {}
    for key, value in attributes.items():
        if key.startswith(prefix):
            number, _, rest = key.removeprefix(prefix).partition(".")
            if rest and _NUMBER.fullmatch(number):
                _put(numbered.setdefault(int(number), {}), rest.split("."), value)
    return [_listed(numbered[number]) for number in sorted(numbered)]


def _put(into: dict[str, Json], path: Sequence[str], value: Json) -> None:
    for name in path[:-1]:
        inner = into.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        into = inner
    into.setdefault(path[-1], value)


def _listed(value: Json) -> Json:
    """Return the value with objects whose keys are all numbers as lists."""
    if not isinstance(value, dict):
        return value
    if value and all(_NUMBER.fullmatch(key) for key in value):
        return [_listed(value[key]) for key in sorted(value, key=int)]
    return {key: _listed(inner) for key, inner in value.items()}


def _chunks(item: Json) -> tuple[Chunk, ...]:
    odd: list[str] = []
    for holder in (item, item.get("document")) if isinstance(item, dict) else ():
        if isinstance(holder, dict) and isinstance(holder.get("metadata"), str):
            holder["metadata"] = _parsed(holder["metadata"])
    try:
        chunks = ContextReader(warn=odd.append, note=lambda _: None).read([[item]])
    except BadCell:
        return ()
    return () if AS_JSON in odd else chunks


def _parsed(value: Json) -> Json:
    """Return the value of a text that is a JSON list or object; anything else unchanged."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            parsed = cast(Json, load_json(value))
        except ValueError:
            return value
        return parsed if isinstance(parsed, list | dict) else value
    return value
