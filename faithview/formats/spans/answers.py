"""The answers of a trace, each with the chunks that were retrieved for it.

A generation belongs to the documents retrieved before it in the nearest step with retrievals: its own, else its
parent's, and so on up to the trace. If several generations have the same such step, only the last is an answer; those
before it chose a tool or rewrote the question. If no generation follows the documents of a step because the clocks
overlap, the last one that ran at the same time is the answer, and so is one whose text an enclosing step returns.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from faithview.domain.errors import InvalidSample
from faithview.domain.sample import Chunk, Json, Sample
from faithview.formats.rows.cells import find_unstorable
from faithview.formats.spans import attributes as span_attributes
from faithview.formats.spans.attributes import Attributes, Step
from faithview.formats.spans.otlp import TraceSpan

# Tolerance for different clocks of two machines.
_CLOCK_SKEW_NS = 100_000_000
# Deeper spans are treated as children of the trace.
_MOST_LEVELS = 200
_TRACE = ""
_NS = 1_000_000_000

# Attributes that are stored with an answer, under these names.
_KEPT = {
    "model": ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name"),
    "conversation": ("gen_ai.conversation.id", "session.id"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceAnswers:
    """The answers found in spans.

    `samples` have "TRACE-SPAN" as key, the span's end as timestamp, and "trace_id", "span_id", "service" and other
    known data as `extra`. `without_chunks` are traces with a model's reply and no retrieval, or none with recorded
    texts; `without_text` are answers whose text was not recorded; `unusable` are answers with
    characters that cannot be stored.
    """

    samples: tuple[Sample, ...] = ()
    without_chunks: int = 0
    without_text: int = 0
    unusable: int = 0


@dataclass(slots=True)
class _Node:
    span: TraceSpan
    attributes: Attributes
    step: Step
    documents: tuple[Chunk, ...]
    ancestors: tuple[str, ...] = ()  # itself first, the trace last

    @property
    def span_id(self) -> str:
        return self.span["span_id"]


@dataclass(slots=True)
class _Scope:
    """A step below which documents were retrieved; `around` are the steps that enclose any of the retrievals."""

    retrievals: list[_Node] = field(default_factory=list)
    around: set[str] = field(default_factory=set)
    first_end: int = 0
    last: _Node | None = None

    def add(self, retrieval: _Node) -> None:
        """Add a retrieval; one without an end counts as before everything."""
        end = retrieval.span["end"]
        self.first_end = min(self.first_end, end) if self.retrievals else end
        self.retrievals.append(retrieval)
        self.around.update(retrieval.ancestors)

    def has_before(self, generation: _Node) -> bool:
        """Return whether one of the retrievals was before the generation."""
        return generation.span_id in self.around or _is_earlier(self.first_end, generation)

    def has_beside(self, generation: _Node) -> bool:
        """Return whether one of the retrievals began before the generation ended."""
        return any(node.span["start"] < generation.span["end"] for node in self.retrievals)

    def used_by(self, generation: _Node) -> list[_Node]:
        """Return the retrievals before the generation; all of them if none is before it by the clocks."""
        return [node for node in self.retrievals if _is_before(node, generation)] or self.retrievals


def answers_in(spans: Iterable[TraceSpan]) -> TraceAnswers:
    """Return the answers in spans of one trace or of several, in any order; a span that comes twice counts once."""
    traces: dict[str, dict[str, TraceSpan]] = {}
    for span in spans:
        traces.setdefault(span["trace_id"], {})[span["span_id"]] = span
    found = [_answers_of_trace(list(trace.values())) for trace in traces.values()]
    return TraceAnswers(
        samples=tuple(sample for one in found for sample in one.samples),
        without_chunks=sum(one.without_chunks for one in found),
        without_text=sum(one.without_text for one in found),
        unusable=sum(one.unusable for one in found),
    )


def retrieved_in(spans: Sequence[TraceSpan]) -> tuple[Chunk, ...]:
    """Return the documents that were retrieved in a trace, in order; of nested retrievers only the outermost."""
    return _kept_of(_outermost_retrievals(_nodes(spans)))


def _answers_of_trace(spans: Sequence[TraceSpan]) -> TraceAnswers:
    nodes = _nodes(spans)
    scopes: dict[str, _Scope] = {}
    for retrieval in _outermost_retrievals(nodes):
        for ancestor in retrieval.ancestors:
            scopes.setdefault(ancestor, _Scope()).add(retrieval)
    generations = sorted((node for node in nodes.values() if node.step is Step.GENERATION), key=_finished)
    if not scopes:
        return TraceAnswers(without_chunks=1 if generations else 0)
    for node in generations:
        scope = next((scopes[a] for a in node.ancestors if a in scopes and scopes[a].has_before(node)), None)
        if scope is not None and (
            scope.last is None or span_attributes.answer_of(node.span, node.attributes) is not None
        ):
            scope.last = node
    if not generations:
        _take_answers_around(nodes, scopes)
    elif all(scope.last is None for scope in scopes.values()):
        _take_answers_beside(generations, nodes, scopes)
    return _collect(nodes, scopes)


def _take_answers_beside(generations: Sequence[_Node], nodes: dict[str, _Node], scopes: dict[str, _Scope]) -> None:
    """Take the last call of a model that ran beside a retrieval, if none follows one by the clocks."""
    for node in generations:
        scope = next((scopes[a] for a in node.ancestors if a in scopes), None)
        text = span_attributes.answer_of(node.span, node.attributes)
        if scope is None or text is None:
            continue
        around = (nodes[name] for name in node.ancestors[1:] if name in nodes)
        if scope.has_beside(node) or any(span_attributes.answer_of(one.span, one.attributes) == text for one in around):
            scope.last = node


def _take_answers_around(nodes: dict[str, _Node], scopes: dict[str, _Scope]) -> None:
    """If no model call is traced, the nearest enclosing step of a retrieval with a text has the answer."""
    for retrieval in scopes[_TRACE].retrievals:
        around = [nodes[name] for name in retrieval.ancestors[1:] if name in nodes]
        teller = next((node for node in around if span_attributes.answer_of(node.span, node.attributes)), None)
        if teller is not None:
            scopes[teller.span_id].last = teller


def _collect(nodes: dict[str, _Node], scopes: dict[str, _Scope]) -> TraceAnswers:
    samples: dict[str, Sample] = {}
    without_text = unusable = 0
    for name, scope in scopes.items():
        last = scope.last
        if last is None:
            continue
        text, teller = span_attributes.answer_of(last.span, last.attributes), last
        if text is None and name in nodes:
            teller = nodes[name]
            text = span_attributes.answer_of(teller.span, teller.attributes)
        if text is None:
            without_text += 1
            continue
        used = scope.used_by(last)
        try:
            sample = _sample(text, teller, _kept_of(used), question=_question(nodes, name, used, last))
        except InvalidSample:
            unusable += 1
            continue
        samples[sample.key] = sample
    return TraceAnswers(samples=tuple(samples.values()), without_text=without_text, unusable=unusable)


def _nodes(spans: Sequence[TraceSpan]) -> dict[str, _Node]:
    nodes: dict[str, _Node] = {}
    for span in spans:
        attributes = span_attributes.flat(span["attributes"])
        step = span_attributes.step_of(span, attributes)
        is_retrieval = step in (Step.RETRIEVAL, Step.RERANKING)
        nodes[span["span_id"]] = _Node(
            span, attributes, step, span_attributes.documents_of(span, attributes) if is_retrieval else ()
        )
    for node in nodes.values():
        node.ancestors = _ancestors(node, nodes)
    return nodes


def _ancestors(node: _Node, nodes: dict[str, _Node]) -> tuple[str, ...]:
    path: dict[str, None] = {}
    at: _Node | None = node
    while at is not None and at.span_id not in path and len(path) < _MOST_LEVELS:
        path[at.span_id] = None
        at = nodes.get(at.span["parent_id"])
    return (*path, _TRACE)


def _outermost_retrievals(nodes: dict[str, _Node]) -> list[_Node]:
    """Return the retrievals with texts; of nested ones, as in an ensemble, only the outer one."""
    with_texts = {name for name, node in nodes.items() if node.documents}
    outer = [nodes[name] for name in nodes if name in with_texts]
    return sorted((n for n in outer if not with_texts.intersection(n.ancestors[1:])), key=_finished)


def _is_before(retrieval: _Node, generation: _Node) -> bool:
    return generation.span_id in retrieval.ancestors or _is_earlier(retrieval.span["end"], generation)


def _is_earlier(end: int, generation: _Node) -> bool:
    start = generation.span["start"]
    return not end or not start or end <= start + _CLOCK_SKEW_NS


def _finished(node: _Node) -> tuple[int, int]:
    return node.span["end"], node.span["start"]


def _kept_of(retrievals: Sequence[_Node]) -> tuple[Chunk, ...]:
    """Return the documents of retrievals: a reranker's output replaces its input."""
    kept: list[_Node] = []
    for node in retrievals:
        if node.step is Step.RERANKING:
            left = {chunk.text for chunk in node.documents}
            kept = [earlier for earlier in kept if not left.intersection(chunk.text for chunk in earlier.documents)]
        kept.append(node)
    chunks: dict[tuple[str, str], Chunk] = {}
    for node in kept:
        for chunk in node.documents:
            chunks.setdefault((chunk.chunk_id, chunk.text), chunk)  # a repeated one keeps its first place
    ordered = tuple(chunks.values())
    # Ranks of one retrieval are kept; with several they would not be unique.
    return ordered if len(kept) == 1 else tuple(_unranked(chunk) for chunk in ordered)


def _unranked(chunk: Chunk) -> Chunk:
    return Chunk(text=chunk.text, chunk_id=chunk.chunk_id, score=chunk.score, metadata=chunk.metadata)


def _question(nodes: dict[str, _Node], scope: str, before: Sequence[_Node], generation: _Node) -> str | None:
    around = [nodes[name] for name in (nodes[scope].ancestors if scope in nodes else ()) if name in nodes]
    for node in around:
        if node.step is not Step.GENERATION and (text := span_attributes.question_of(node.span, node.attributes)):
            return text
    for node in before:
        text = span_attributes.query_of(node.attributes) or span_attributes.question_of(node.span, node.attributes)
        if text:
            return text
    return span_attributes.question_of(generation.span, generation.attributes)


def _sample(text: str, teller: _Node, chunks: tuple[Chunk, ...], *, question: str | None) -> Sample:
    span = teller.span
    extra: dict[str, Json] = {"trace_id": span["trace_id"], "span_id": span["span_id"]}
    service = span["resource"].get("service.name")
    if isinstance(service, str) and service:
        extra["service"] = service
    for name, attribute_names in _KEPT.items():
        value = next((teller.attributes[a] for a in attribute_names if teller.attributes.get(a)), None)
        if isinstance(value, str):
            extra[name] = value
    if find_unstorable([extra, *(dict(chunk.metadata) for chunk in chunks)]) is not None:
        raise InvalidSample("An attribute of the span holds a character that cannot be stored.")
    at = span["end"] or span["start"]
    return Sample(
        answer=text,
        chunks=chunks,
        question=question,
        key=f"{span['trace_id']}-{span['span_id']}",
        timestamp=_time(at),
        extra=extra,
    )


def _time(nanoseconds: int) -> datetime | None:
    if nanoseconds <= 0:
        return None
    try:
        return datetime.fromtimestamp(nanoseconds / _NS, UTC)
    except (OverflowError, OSError, ValueError):
        return None
