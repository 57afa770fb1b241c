"""Answers with their chunks out of spans, in the conventions' several shapes."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from faithview.formats.spans.attributes import with_content
from faithview.formats.spans.otlp import Span, answers_in
from faithview.formats.spans.steps import MODEL, Step, answer_in

_BEGIN = datetime(2026, 3, 2, tzinfo=UTC)
_CHUNKS = ("The office opens at 9 am.", "Parking costs 7 euros.")


def span(
    span_id: str,
    parent_id: str = "",
    *,
    start: float = 0.0,
    end: float = 0.0,
    events: tuple[tuple[str, dict[str, Any]], ...] = (),
    trace_id: str = "aa",
    **attributes: Any,
) -> Span:
    """A span; `start` and `end` are seconds, and "__" in the name of an attribute stands for a dot."""
    named = {name.replace("__", "."): value for name, value in attributes.items()}
    step = Step(
        step_id=span_id,
        parent_id=parent_id,
        name=span_id,
        start=_BEGIN + timedelta(seconds=start),
        end=_BEGIN + timedelta(seconds=end),
        details={"service": "desk"},
    )
    held = [{"name": name, "attributes": values} for name, values in events]
    return Span(trace_id, with_content(step, named, held))


def openinference_documents(*texts: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, text in enumerate(texts):
        prefix = f"retrieval.documents.{number}.document"
        found[f"{prefix}.content"] = text
        found[f"{prefix}.id"] = f"kb-{number}"
        found[f"{prefix}.score"] = 0.5
        found[f"{prefix}.metadata"] = json.dumps({"page": number})
    return found


def retriever(span_id: str, parent_id: str, *texts: str, start: float = 1, end: float = 2) -> Span:
    kind: dict[str, Any] = {"openinference__span__kind": "RETRIEVER", "input__value": "opening hours"}
    return span(span_id, parent_id, start=start, end=end, **kind, **openinference_documents(*texts))


def model(span_id: str, parent_id: str, text: str | None, *, start: float = 3, end: float = 4) -> Span:
    said: dict[str, Any] = {} if text is None else {"llm__output_messages__0__message__content": text}
    return span(
        span_id,
        parent_id,
        start=start,
        end=end,
        openinference__span__kind="LLM",
        llm__model_name="m-1",
        llm__input_messages__0__message__role="user",
        llm__input_messages__0__message__content="Context: … Question: When?",
        **said,
    )


def chain(span_id: str, parent_id: str = "", **attributes: Any) -> Span:
    return span(span_id, parent_id, start=0.5, end=5, openinference__span__kind="CHAIN", **attributes)


def test_retriever_three_levels_below_the_question_is_found() -> None:
    found = answers_in(
        [
            model("llm", "root", "It opens at 9 am."),
            retriever("search", "inner", *_CHUNKS),
            chain("inner", "middle"),
            chain("middle", "root"),
            chain("root", input__value="When does it open?", output__value="It opens at 9 am."),
        ]
    )
    (sample,) = found.samples
    assert sample.answer == "It opens at 9 am."
    assert sample.question == "When does it open?"
    assert [chunk.text for chunk in sample.chunks] == list(_CHUNKS)
    assert [chunk.chunk_id for chunk in sample.chunks] == ["kb-0", "kb-1"]
    assert [chunk.score for chunk in sample.chunks] == [0.5, 0.5]
    assert sample.chunks[1].metadata == {"page": 1}
    assert sample.key == "aa"
    assert sample.timestamp is not None
    assert sample.timestamp.isoformat() == "2026-03-02T00:00:00.500000+00:00"
    assert sample.extra == {"trace_id": "aa", "service": "desk", "model": "m-1"}


_MESSAGES = [{"role": "user", "parts": [{"type": "text", "content": "When?"}]}]
_REPLY = [
    {
        "role": "assistant",
        "parts": [
            {"type": "reasoning", "content": "Let me look."},
            {"type": "text", "content": "At 9 am"},
            {"type": "text", "content": "."},
            {"type": "tool_call", "name": "x", "id": "1", "arguments": {"text": "no answer"}},
        ],
    },
    {"role": "assistant", "parts": [{"type": "text", "content": "A second choice."}]},
]
_GENERATIONS: dict[str, dict[str, Any]] = {
    "messages, structured": {"gen_ai__input__messages": _MESSAGES, "gen_ai__output__messages": _REPLY},
    "messages, as JSON": {
        "gen_ai__input__messages": json.dumps(_MESSAGES),
        "gen_ai__output__messages": json.dumps(_REPLY),
    },
    "choice event": {
        "events": (
            ("gen_ai.user.message", {"content": "When?"}),
            ("gen_ai.choice", {"index": 0, "message": json.dumps({"role": "assistant", "content": "At 9 am."})}),
        )
    },
    "content events": {
        "events": (
            ("gen_ai.content.prompt", {"gen_ai.prompt": json.dumps([{"role": "user", "content": "When?"}])}),
            (
                "gen_ai.content.completion",
                {"gen_ai.completion": json.dumps([{"role": "assistant", "content": "At 9 am."}])},
            ),
        )
    },
    "numbered": {
        "gen_ai__prompt__0__role": "user",
        "gen_ai__prompt__0__content": "When?",
        "gen_ai__completion__0__role": "assistant",
        "gen_ai__completion__0__content": "At 9 am.",
    },
    "message contents": {
        "llm__input_messages__0__message__role": "user",
        "llm__input_messages__0__message__content": "When?",
        "llm__output_messages__0__message__role": "assistant",
        "llm__output_messages__0__message__contents__0__message_content__type": "text",
        "llm__output_messages__0__message__contents__0__message_content__text": "At 9 am.",
    },
    "nested": {"llm": {"output_messages": [{"message": {"role": "assistant", "content": "At 9 am."}}]}},
    "values": {"input__value": json.dumps({"query": "When?"}), "output__value": json.dumps({"answer": "At 9 am."})},
}


@pytest.mark.parametrize("said", _GENERATIONS.values(), ids=list(_GENERATIONS))
def test_reply_is_read_from_every_convention(said: dict[str, Any]) -> None:
    search = span(
        "s",
        "root",
        start=1,
        end=2,
        gen_ai__operation__name="retrieval",
        gen_ai__retrieval__query__text="When?",
        gen_ai__retrieval__documents=json.dumps([{"id": "d1", "score": 0.9, "content": _CHUNKS[0]}]),
    )
    reply = span("m", "root", start=3, end=4, gen_ai__operation__name="chat", gen_ai__request__model="m-1", **said)
    (sample,) = answers_in([span("root", start=0.1, end=5), search, reply]).samples
    assert sample.answer == "At 9 am."
    assert sample.question == "When?"
    assert [(chunk.chunk_id, chunk.text, chunk.score) for chunk in sample.chunks] == [("d1", _CHUNKS[0], 0.9)]
    assert sample.extra["model"] == "m-1"


def test_documents_are_read_from_the_events_of_a_vector_store() -> None:
    events = tuple(
        ("db.query.result", {"db.query.result.id": f"v{n}", "db.query.result.document": text})
        for n, text in enumerate(_CHUNKS)
    )
    (sample,) = answers_in([span("q", "root", start=1, end=2, events=events), model("llm", "root", "9 am.")]).samples
    assert [(chunk.chunk_id, chunk.text) for chunk in sample.chunks] == [("v0", _CHUNKS[0]), ("v1", _CHUNKS[1])]


def test_a_trace_has_one_answer_that_of_its_outermost_step() -> None:
    spans = [
        chain("root", input__value="And parking?", output__value="It costs 7 euros."),
        retriever("s1", "root", _CHUNKS[0]),
        model("m1", "root", "At 9 am."),
        retriever("s2", "root", _CHUNKS[1], start=11, end=12),
        model("m2", "root", "7 euros.", start=13, end=14),
    ]
    (sample,) = answers_in(spans).samples
    assert (sample.question, sample.answer) == ("And parking?", "It costs 7 euros.")
    assert [chunk.text for chunk in sample.chunks] == list(_CHUNKS)


def test_a_span_with_no_documents_is_no_retriever_whatever_its_name() -> None:
    root = chain("retrieval_qa", output__value="At 9 am.")
    assert answers_in([root, model("m", "retrieval_qa", "At 9 am.")]).without_chunks == 1


def test_a_rewritten_question_and_a_chosen_tool_are_no_answers() -> None:
    found = answers_in(
        [
            chain("root", input__value="When?"),
            model("rewrite", "root", "opening hours office", start=0.6, end=0.9),
            retriever("s1", "root", _CHUNKS[0]),
            model("tool", "root", None, start=2.5, end=2.8),
            retriever("s2", "root", _CHUNKS[1], start=2.85, end=2.9),
            model("final", "root", "At 9 am, parking is 7 euros."),
        ]
    )
    (sample,) = found.samples
    assert sample.answer == "At 9 am, parking is 7 euros."
    assert [chunk.text for chunk in sample.chunks] == list(_CHUNKS)
    assert [chunk.rank for chunk in sample.chunks] == [1, 2]
    assert found.without_chunks == 0


def test_what_a_reranker_left_takes_the_place_of_what_it_got() -> None:
    reranked = span("r", "root", start=2.1, end=2.5, openinference__span__kind="RERANKER", reranker__query="When?",
                    reranker__output_documents__0__document__content=_CHUNKS[1],
                    reranker__input_documents__0__document__content=_CHUNKS[0])  # fmt: skip
    (sample,) = answers_in([retriever("s", "root", *_CHUNKS), reranked, model("m", "root", "7 euros.")]).samples
    assert [chunk.text for chunk in sample.chunks] == [_CHUNKS[1]]
    assert sample.question == "opening hours"


def test_of_a_retriever_inside_another_only_the_outer_one_counts() -> None:
    spans = [
        retriever("ensemble", "root", _CHUNKS[1]),
        retriever("part", "ensemble", *_CHUNKS),
        model("m", "root", "7 euros."),
    ]
    (sample,) = answers_in(spans).samples
    assert [chunk.text for chunk in sample.chunks] == [_CHUNKS[1]]


def test_without_a_traced_model_the_step_around_the_retriever_has_the_answer() -> None:
    root = chain("root", input__value=json.dumps({"input": "When?"}), output__value=json.dumps({"output": "At 9 am."}))
    (sample,) = answers_in([root, chain("inner", "root"), retriever("s", "inner", *_CHUNKS)]).samples
    assert (sample.question, sample.answer, sample.key) == ("When?", "At 9 am.", "aa")


def test_a_reply_whose_text_was_not_recorded_is_taken_from_the_step_around_it() -> None:
    root = chain("root", input__value="When?", output__value="At 9 am.")
    (sample,) = answers_in([root, retriever("s", "root", *_CHUNKS), model("m", "root", None)]).samples
    assert (sample.answer, sample.key) == ("At 9 am.", "aa")


def test_what_cannot_be_used_is_counted() -> None:
    only_ids = span("s", "root", start=1, end=2, gen_ai__retrieval__documents=[{"id": "d1", "score": 0.3}])
    assert answers_in([only_ids, model("m", "root", "At 9 am.")]).without_chunks == 1
    assert answers_in([model("m", "root", "At 9 am.")]).without_chunks == 1
    assert answers_in([retriever("s", "", *_CHUNKS), model("m", "", None)]).without_text == 1
    assert answers_in([retriever("s", "", "nul \x00"), model("m", "", "At 9 am.")]).unusable == 1
    nothing = answers_in([])
    assert (nothing.samples, nothing.without_chunks, nothing.without_text, nothing.unusable) == ([], 0, 0, 0)


def test_spans_that_come_twice_or_point_in_a_circle_are_read_once() -> None:
    spans = [retriever("s", "m", *_CHUNKS), model("m", "s", "At 9 am.")]
    (sample,) = answers_in([*spans, *spans]).samples
    assert [chunk.text for chunk in sample.chunks] == list(_CHUNKS)


def test_a_chunk_that_is_retrieved_twice_stands_where_it_came_first() -> None:
    first = retriever("one", "root", "A.", "B.", "A.")
    second = retriever("two", "root", "A.", "C.", start=2, end=3)
    (sample,) = answers_in([chain("root"), first, second, model("m", "root", "A.", start=4, end=5)]).samples
    # Each chunk of a retrieval has an id by its place: the second "A." of the first one is another chunk.
    assert [chunk.text for chunk in sample.chunks] == ["A.", "B.", "A.", "C."]


def test_many_spans_in_a_deep_chain_are_read_in_reasonable_time() -> None:
    spans: list[Span] = [chain("0")]
    for number in range(1, 2_000):
        build = retriever if number % 2 else model
        spans.append(build(str(number), str(number - 1), "At 9 am.", start=number, end=number + 1))
    assert answers_in(spans).samples


def test_where_one_generation_follows_the_documents_those_beside_them_are_no_answers() -> None:
    beside = model("check", "inner", "Is it harmful? No.", start=1, end=2)
    spans = [retriever("s", "inner", *_CHUNKS), beside, model("m", "root", "At 9 am.")]
    (sample,) = answers_in([chain("root"), chain("inner", "root"), *spans]).samples
    assert sample.answer == "At 9 am."


@pytest.mark.parametrize("sources", [False, True], ids=["a text", "with its sources"])
def test_a_chain_named_after_its_retriever_is_no_chunk(sources: bool) -> None:
    documents = [{"page_content": text} for text in _CHUNKS]
    said = {"result": "At 9 am.", **({"source_documents": documents} if sources else {})}
    found = answer_in(
        [
            Step(step_id="chain", name="RetrievalQA", input={"query": "When?"}, output=said),
            Step(step_id="search", parent_id="chain", name="VectorStoreRetriever", output=documents),
            Step(step_id="model", parent_id="chain", kind=MODEL, output="At 9 am."),
        ]
    )
    assert (found.question, found.answer) == ("When?", "At 9 am.")
    assert [chunk.text for chunk in found.chunks] == list(_CHUNKS)
