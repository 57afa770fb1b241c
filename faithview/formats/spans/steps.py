"""Traces of tools with their own formats: steps with a kind, an input and an output.

A trace is one answer: the input and the output of the whole trace, with the documents that its retrievers found,
at any depth.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from faithview.domain.mapping import Field
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.objects import find_paths, map_objects
from faithview.formats.reading.reader import Question
from faithview.formats.reading.values import unquoted
from faithview.formats.rows.cells import as_json, is_missing, parsed, value_at
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.spans.answers import retrieved_in
from faithview.formats.spans.attributes import message_text
from faithview.formats.spans.otlp import TraceSpan
from faithview.formats.spans.rows import chunk_cell, make_span

QUESTION, ANSWER, CONTEXTS = "question", "answer", "contexts"
STEPS_LEFT_OUT = "The steps of a trace are not stored with its answer by default (--map ignore= keeps them)."

# A retriever that its tool did not mark as one is recognised by its name.
_RETRIEVES = re.compile(
    r"retriev|rerank|vector_?(?:store|search)|similarity_search|search_(?:docs|documents|knowledge)"
)
_DOCUMENT_KEYS = (
    "documents", "retrieved_documents", "docs", "chunks", "contexts", "context", "passages", "results", "nodes",
    "source_documents", "matches", "hits", "output", "result", "data",
)  # fmt: skip
_ROLES = {
    "question": ("user", "human", "humanmessage", "humanmessagechunk"),
    "answer": ("assistant", "ai", "aimessage", "aimessagechunk", "model"),
}
_MOST_LEVELS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a trace.

    `kind` is the tool's word in lower case: "retriever", "reranker" and "llm" mean something here. Times may be written
    in any format; `input` and `output` are as the tool recorded them.
    """

    step_id: str
    parent_id: str
    kind: str
    name: str
    start: object
    end: object
    input: object
    output: object


def answer_cells(steps: Sequence[Step], *, asked: object = None, gave: object = None) -> dict[str, object]:
    """Return the cells "question" and "answer" of a trace, and "contexts" if something was retrieved in it.

    Args:
        steps: its steps, in any order.
        asked: the input of the whole trace, if the tool records it; else the input of its first step counts.
        gave: its output; else the output of its first step, else that of its last model call.
    """
    known = {step.step_id for step in steps}
    ordered = sorted(steps, key=lambda step: str(step.start or ""))
    roots = [step for step in ordered if step.parent_id not in known]
    models = [step for step in ordered if step.kind == "llm"]
    questions = [asked, *(step.input for step in roots)]
    answers = [gave, *(step.output for step in roots), *(step.output for step in models[::-1])]
    chunks = retrieved_chunks(ordered)
    return {
        QUESTION: next((text for value in questions if (text := text_in("question", value))), None),
        ANSWER: next((text for value in answers if (text := text_in("answer", value))), None),
        **({CONTEXTS: chunks} if chunks else {}),
    }


def retrieved_chunks(steps: Sequence[Step]) -> list[object]:
    """Return the documents that the outermost retrievers of a trace found, in the form of cells of contexts."""
    # If the tool marks retrievers, names are ignored.
    are_marked = any(step.kind == "retriever" for step in steps)
    spans = [span for step in steps if (span := _span(step, by_name=not are_marked)) is not None]
    return [chunk_cell(chunk) for chunk in retrieved_in(spans)]


def text_in(field: Field, value: object) -> str | None:
    """Return the question or the answer in an input or an output; None if no text in it is known to be it.

    It is the text itself, the last message of the user or of the model, a model's reply in LangChain's format, or the
    value in an object under a known name.
    """
    value = _found_in(field, value, 0)
    return value if isinstance(value, str) and not is_missing(value) else None


def map_trace(
    opened: Table, mapping: ColumnMapping, *, objects: Sequence[str]
) -> tuple[ColumnMapping, tuple[Question, ...]]:
    """Return the mapping with the cells of `answer_cells`, as far as one of the first rows has them.

    If no step retrieved anything, chunks are looked for in these columns; several places lead to a question.
    """
    held = {name for name in (QUESTION, ANSWER, CONTEXTS) for row in opened.head if _has(row.values.get(name))}
    questions: tuple[Question, ...] = ()
    if CONTEXTS in held:
        mapping = replace(mapping, contexts=(CONTEXTS,))
    else:
        mapping, questions = map_objects(opened.head, mapping, contexts=objects)
    return (
        replace(
            mapping,
            question=QUESTION if QUESTION in held else mapping.question,
            answer=ANSWER if ANSWER in held else mapping.answer,
        ),
        questions,
    )


def _has(value: object) -> bool:
    return bool(value) if isinstance(value, list) else not is_missing(value)


def _found_in(field: Field, value: object, level: int) -> object:
    value = parsed(unquoted(value))
    if level > _MOST_LEVELS or isinstance(value, str):
        return value
    if (messages := _messages(value)) is not None:
        texts = [message_text(as_json(message)) for role, message in messages if role in _ROLES.get(field, ())]
        return next((text for text in reversed(texts) if text), None)
    if isinstance(value, list):
        return _found_in(field, value[0], level + 1) if len(value) == 1 else None
    if not isinstance(value, Mapping):
        return None
    if field == "answer" and isinstance(value.get("generations"), list):
        return _generated(value["generations"])
    for path in find_paths(field, ("value",), (RawRow(1, {"value": value}),)):
        inner = value_at({"value": value}, path)
        found = inner if isinstance(inner, str) else _found_in(field, inner, level + 1)
        if isinstance(found, str) and not is_missing(found):
            return found
    nested = next((value[key] for key in ("messages", "output", "value", "kwargs") if key in value), None)
    return _found_in(field, nested, level + 1) if isinstance(nested, list | Mapping) else None


def _generated(generations: object) -> object:
    """Return the text of LangChain's `generations`: a list of replies, or a list of such lists."""
    while isinstance(generations, list) and generations:
        generations = generations[0]
    if not isinstance(generations, Mapping):
        return None
    return generations.get("text") or _found_in("answer", [generations.get("message")], 1)


def _messages(value: object) -> list[tuple[str, dict[str, object]]] | None:
    """Return the messages of a conversation with their roles; None if the value is not a conversation."""
    if isinstance(value, Mapping):
        listed = value.get("messages")
        return _messages(listed) if isinstance(listed, list) else None
    if not isinstance(value, list) or not value:
        return None
    found = [_message(parsed(item)) for item in value]
    return [item for item in found if item] if all(found) else None


def _message(item: object) -> tuple[str, dict[str, object]] | None:
    if isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item):
        return item[0].lower(), {"role": item[0], "content": item[1]}
    if not isinstance(item, Mapping):
        return None
    kwargs = item.get("kwargs")
    inner = kwargs if isinstance(kwargs, Mapping) else item.get("data") if "type" in item else None
    message = inner if isinstance(inner, Mapping) and "content" in inner else item
    names = item.get("id")
    kind = names[-1] if isinstance(names, list) and names else item.get("type")
    role = message.get("role") or message.get("type") or kind
    if "content" not in message or not isinstance(role, str):
        return None
    return role.lower(), {"role": role.lower(), "content": message["content"]}


def _span(step: Step, *, by_name: bool) -> TraceSpan | None:
    kind = step.kind if step.kind in ("retriever", "reranker") else ""
    if by_name and not kind and step.kind != "llm" and _RETRIEVES.search(step.name.lower()):
        kind = "retriever"
    documents = _documents(step.output) if kind else []
    found = {"openinference.span.kind": kind.upper(), "retrieval.documents": documents} if documents else {}
    return make_span(
        trace_id="trace",
        span_id=step.step_id,
        parent_id=step.parent_id,
        name=step.name,
        start=step.start,
        end=step.end,
        attributes=found,
    )


def _documents(output: object) -> list[object]:
    output = parsed(unquoted(output))
    if isinstance(output, str):
        return [] if is_missing(output) else [output]
    if isinstance(output, Mapping):
        key = next((key for key in _DOCUMENT_KEYS if isinstance(parsed(output.get(key)), list | Mapping)), None)
        if key is None:
            lists = [name for name, value in output.items() if isinstance(value, list)]
            key = lists[0] if len(lists) == 1 else None
        if key is not None:
            return _documents(output[key])
        text = next((output[key] for key in _DOCUMENT_KEYS if isinstance(output.get(key), str)), None)
        return [text] if text else [output]
    return list(output) if isinstance(output, list) else []
