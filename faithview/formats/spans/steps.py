"""A trace as steps with a kind, an input and an output, and the one answer in it.

The question is the input of the whole trace or of its outermost step that has one; else that of the first search or of
the last call of a model. The answer is the output of the whole trace or of its outermost step; else what the last call
of a model said. The chunks are what its outermost retrievers found, at any depth.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import NamedTuple

from faithview.domain.mapping import Field
from faithview.domain.sample import Chunk
from faithview.formats.reading.objects import paths_in
from faithview.formats.reading.values import unquoted
from faithview.formats.rows.cells import BadCell, is_missing, parsed, value_at
from faithview.formats.rows.contexts import ContextReader, has_text

RETRIEVER, RERANKER, MODEL, OTHER = "retriever", "reranker", "llm", "other"

# A retriever that its tool did not mark as one is recognised by its name.
_RETRIEVES = re.compile(
    r"retriev|rerank|vector_?(?:store|search)|similarity_search|search_(?:docs|documents|knowledge)", re.IGNORECASE
)
_NUMBER = re.compile(r"\d{1,6}")
_DOCUMENT_KEYS = (
    "documents", "retrieved_documents", "docs", "chunks", "contexts", "context", "passages", "results", "nodes",
    "source_documents", "matches", "hits", "output", "result", "data",
)  # fmt: skip
_ROLES = {
    "question": ("user", "human", "humanmessage", "humanmessagechunk"),
    "answer": ("assistant", "ai", "aimessage", "aimessagechunk", "model"),
}
_IN_MESSAGES = frozenset({"content", "contents", "parts", "kwargs"})
_HOLDERS = ("messages", "output", "value", "kwargs")
_TEXT_PARTS = ("text", "output_text", "input_text", "")
_EARLY = datetime.min.replace(tzinfo=UTC)
# A list inside an object inside a message; nothing deeper is a text.
_MOST_LEVELS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a trace.

    `kind` is RETRIEVER, RERANKER, MODEL or OTHER, or "" if the tool does not tell. `start` and `end` are in UTC, None
    if they are not known. `input` and `output` are as the tool recorded them; for a retriever the output has the
    documents. `details` are kept with the answer, for example the model.
    """

    step_id: str
    parent_id: str = ""
    kind: str = ""
    name: str = ""
    start: datetime | None = None
    end: datetime | None = None
    input: object = None
    output: object = None
    details: Mapping[str, str] = field(default_factory=dict)


class TraceAnswer(NamedTuple):
    """The answer of a trace with its question and its chunks, as far as the trace has them."""

    question: str | None
    answer: str | None
    chunks: tuple[Chunk, ...]


def from_outside(steps: Sequence[Step]) -> list[Step]:
    """Return the steps with the outermost ones first, each level in the order of its beginnings.

    A step whose parent is not among them is an outermost one; steps in a circle are last.
    """
    known = {step.step_id for step in steps}
    children: dict[str, list[Step]] = {}
    for step in sorted(steps, key=_start):
        children.setdefault(step.parent_id if step.parent_id in known else "", []).append(step)
    found = children.pop("", [])
    for step in found:
        found += children.pop(step.step_id, ())
    return [*found, *(step for circle in children.values() for step in circle)]


def _start(step: Step) -> datetime:
    return step.start or _EARLY


def answer_in(steps: Sequence[Step], *, asked: object = None, gave: object = None) -> TraceAnswer:
    """Return the answer of a trace.

    Args:
        steps: its steps, in any order.
        asked: the input of the whole trace, if the tool records it.
        gave: its output.
    """
    ordered, known = from_outside(steps), {step.step_id for step in steps}
    # If the tool marks retrievers, names are ignored.
    is_marked = any(step.kind == RETRIEVER for step in steps)
    parents = {step.parent_id for step in steps}
    # A chain that is named after its retriever has other steps inside and may return the answer as a text.
    named = {
        step.step_id
        for step in steps
        if not is_marked and step.kind == "" and _RETRIEVES.search(step.name)
        if step.step_id not in parents or not all(isinstance(item, str) for item in _documents(step.output))
    }
    leaves = named - parents
    around = [step for step in ordered if step.kind in ("", OTHER) and step.step_id not in leaves]
    ordered = [replace(step, kind=RETRIEVER) if step.step_id in named else step for step in ordered]
    roots = [step for step in around if step.parent_id not in known]
    searches = [step for step in ordered if step.kind in (RETRIEVER, RERANKER)]
    models = sorted((step for step in steps if step.kind == MODEL), key=_start)[::-1]
    questions = (asked, *(step.input for step in (*around, *searches, *models)))
    # A step inside may return something else than the answer, such as a rewritten question.
    answers = (gave, *(step.output for step in (*roots, *models, *around)))
    return TraceAnswer(
        question=next((text for value in questions if (text := text_in("question", value))), None),
        answer=next((text for value in answers if (text := text_in("answer", value))), None),
        chunks=_retrieved(ordered),
    )


def _retrieved(ordered: Sequence[Step]) -> tuple[Chunk, ...]:
    """Return what the outermost retrievers found, such as an ensemble and not its parts."""
    outer: dict[str, tuple[Step, tuple[Chunk, ...]]] = {}
    inside: set[str] = set()
    for step in ordered:
        if step.parent_id in inside or step.parent_id in outer:
            inside.add(step.step_id)
        elif step.kind in (RETRIEVER, RERANKER) and (chunks := _chunks(step.output)):
            outer[step.step_id] = step, chunks
    kept: list[tuple[Chunk, ...]] = []
    for step, chunks in sorted(outer.values(), key=lambda pair: pair[0].end or _EARLY):
        if step.kind == RERANKER:
            # What it returns replaces what it was given.
            texts = {chunk.text for chunk in chunks}
            kept = [earlier for earlier in kept if texts.isdisjoint(chunk.text for chunk in earlier)]
        kept.append(chunks)
    single: dict[tuple[str, str], Chunk] = {}
    for chunk in (chunk for chunks in kept for chunk in chunks):
        single.setdefault((chunk.chunk_id, chunk.text), chunk)  # one that is found again keeps its first place
    # Ranks of several searches would not be unique.
    return tuple(chunk if len(kept) == 1 else replace(chunk, rank=0) for chunk in single.values())


def _chunks(output: object) -> tuple[Chunk, ...]:
    """Return the documents in a retriever's output; those without a text, such as ids alone, are left out."""
    found: list[Chunk] = []
    reader = ContextReader()
    for item in _documents(output):
        item = _readable(item) if isinstance(item, Mapping) else item
        if isinstance(item, Mapping) and not has_text(item):
            continue
        try:
            found += reader.read([[item]])
        except BadCell:
            continue
    return tuple(found)


def _readable(item: Mapping[str, object]) -> dict[str, object]:
    """Return a document with its metadata as an object; OpenInference writes it as JSON, inside of "document"."""
    inner, metadata = item.get("document"), item.get("metadata")
    document = {"document": _readable(inner)} if isinstance(inner, Mapping) else {}
    return {**item, **document, **({"metadata": parsed(metadata)} if isinstance(metadata, str) else {})}


def _documents(output: object) -> list[object]:
    output = parsed(unquoted(output))
    if isinstance(output, str):
        return [] if is_missing(output) else [output]
    if isinstance(output, Mapping):
        keys = [key for key in _DOCUMENT_KEYS if isinstance(parsed(output.get(key)), list | Mapping)]
        lists = [key for key, value in output.items() if isinstance(value, list)]
        if keys or len(lists) == 1:
            return _documents(output[(keys or lists)[0]])
        text = next((output[key] for key in _DOCUMENT_KEYS if isinstance(output.get(key), str)), None)
        return [text] if text else [output]
    return list(output) if isinstance(output, list) else []


def text_in(field: Field, value: object, level: int = 0) -> str | None:
    """Return the question or the answer in an input or an output; None if no text in it is known to be it.

    It is the text itself, the last message of the user or of the model, a model's reply in LangChain's format, or the
    value in an object under a known name. `level` says how deep the value is in another one.
    """
    value = parsed(unquoted(value))
    if isinstance(value, str) or level > _MOST_LEVELS:
        return value if isinstance(value, str) and not is_missing(value) else None
    if messages := _messages(value):
        texts = [message_text(message) for role, message in messages if role in _ROLES.get(field, ())]
        return next((text for text in reversed(texts) if text), None)
    if isinstance(value, list):
        return text_in(field, value[0], level + 1) if len(value) == 1 else None
    if not isinstance(value, Mapping):
        return None
    if field == "answer" and (generations := value.get("generations")):
        return text_in(field, generations, level + 1)
    places = [value_at({"value": value}, path) for path in paths_in(field, value, "value")]
    places += [held for key in _HOLDERS if isinstance(held := value.get(key), list | Mapping)]
    return next((text for place in places if (text := text_in(field, place, level + 1))), None)


def _messages(value: object) -> list[tuple[str, Mapping[str, object]]]:
    """Return the messages of a conversation with their roles; empty if the value is not a conversation."""
    listed = value.get("messages") if isinstance(value, Mapping) else value
    if not isinstance(listed, list):
        return []
    if len(listed) == 1 and isinstance(listed[0], list):
        listed = listed[0]
    return [message for item in listed if (message := _message(parsed(item)))]


def _message(item: object) -> tuple[str, Mapping[str, object]] | None:
    if isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item):
        return item[0].lower(), {"content": item[1]}
    if not isinstance(item, Mapping):
        return None
    kind: object = None
    for key in ("message", "kwargs", "data"):  # of OpenInference and LangChain
        names = item.get("id")
        kind = names[-1] if isinstance(names, list) and names else item.get("type", kind)
        inner = parsed(item.get(key))
        if isinstance(inner, Mapping) and not _IN_MESSAGES.isdisjoint(inner):
            item = inner
    role = item.get("role") or item.get("type") or kind
    is_message = isinstance(role, str) and not _IN_MESSAGES.isdisjoint(item)
    # Its own type is not that of a part.
    return (str(role).lower(), {**item, "type": ""}) if is_message else None


def message_text(message: object, level: int = 0) -> str:
    """Return the text of a message in any shape, without reasoning, calls of tools and images; "" if it has none."""
    if isinstance(message, str) or level > _MOST_LEVELS:
        return message if isinstance(message, str) and not is_missing(message) else ""
    if parts := items_of(message):
        return "".join(message_text(part, level + 1) for part in parts)
    if not isinstance(message, Mapping) or message.get("type", "") not in _TEXT_PARTS:
        return ""
    names = ("parts", "message", "content", "text", "message_content", "contents")
    return next((text for name in names if (text := message_text(parsed(message.get(name)), level + 1))), "")


def items_of(value: object) -> list[object]:
    """Return the items of a list, which may be JSON, or an object with numbers as keys; empty for anything else."""
    value = parsed(value)
    if isinstance(value, Mapping) and all(_NUMBER.fullmatch(key) for key in value):
        return [value[key] for key in sorted(value, key=int)]
    return value if isinstance(value, list) else []
