"""The guard as a runnable of LangChain."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

from faithview import FaithfulnessGuard, GuardBlocked, GuardedAnswer
from faithview.domain.errors import InvalidInput
from faithview.integrations.langchain import GuardRunnable

pytestmark = pytest.mark.integration

_DOCUMENTS = [
    Document("The office opens at 9 am.", id="kb-1", metadata={"page": 1}),
    Document("Parking costs 7 euros."),
]
_WRONG = "The office opens at 9 am. Parking costs 5 euros."
_RIGHT = "The office opens at 9 am. Parking costs 7 euros."


@pytest.fixture(scope="module")
def guard() -> Iterator[FaithfulnessGuard]:
    with FaithfulnessGuard("lexical") as made:
        yield made


def _given(answer: Any = _WRONG, **more: Any) -> dict[str, Any]:
    return {"question": "What does it cost?", "context": _DOCUMENTS, "answer": answer, **more}


def test_it_goes_behind_a_chain_and_corrects_its_answer(guard: FaithfulnessGuard) -> None:
    chain = (
        RunnablePassthrough.assign(context=lambda _: _DOCUMENTS)
        | RunnablePassthrough.assign(answer=RunnableLambda(lambda _: AIMessage(_WRONG)))
        | GuardRunnable(guard)
    )
    reply = chain.invoke({"question": "What does it cost?"})
    assert (reply["answer"], reply["passed"], reply["question"]) == (_RIGHT, True, "What does it cost?")
    assert isinstance(reply["guard"], GuardedAnswer)
    assert reply["guard"].before.result.claims[0].supporting_chunk_ids == ("kb-1",)


def test_every_way_of_calling_a_runnable_gives_the_same(guard: FaithfulnessGuard) -> None:
    runnable = GuardRunnable(guard)
    assert [reply["answer"] for reply in runnable.batch([_given(), _given(_RIGHT)])] == [_RIGHT, _RIGHT]
    assert asyncio.run(runnable.ainvoke(_given()))["answer"] == _RIGHT
    assert [reply["answer"] for reply in runnable.stream(_given())] == [_RIGHT]


def test_a_blocked_answer_is_not_sent(guard: FaithfulnessGuard) -> None:
    with pytest.raises(GuardBlocked) as blocked:
        GuardRunnable(guard, correct=False).invoke(_given())
    assert blocked.value.result.claims
    with FaithfulnessGuard("lexical", fallback="Ask a person.") as other:
        reply = GuardRunnable(other, correct=False).invoke(_given())
    assert (reply["answer"], reply["passed"]) == ("Ask a person.", False)
    seen = GuardRunnable(guard, correct=False, enforce=False).invoke(_given())
    assert (seen["answer"], seen["passed"], len(seen["guard"].issues)) == (_WRONG, False, 1)


@pytest.mark.parametrize(
    "given",
    [
        {"input": "q", "source_documents": _DOCUMENTS, "result": _RIGHT},
        {"documents": [document.page_content for document in _DOCUMENTS], "answer": _RIGHT},
        {"context": "\n".join(document.page_content for document in _DOCUMENTS), "answer": _RIGHT},
        {"context": _DOCUMENTS[0], "answer": _DOCUMENTS[0].page_content},
    ],
)
def test_the_names_and_shapes_of_other_chains_are_understood(guard: FaithfulnessGuard, given: dict[str, Any]) -> None:
    reply = GuardRunnable(guard).invoke(given)
    assert reply["passed"] is True
    assert reply["guard"].before.result.state.value == "judged"


@pytest.mark.parametrize("name", ["answer", "result", "output"])
def test_a_blocked_answer_is_left_under_no_name(name: str) -> None:
    with FaithfulnessGuard("lexical", fallback="Ask a person.") as guard:
        reply = GuardRunnable(guard, correct=False).invoke({"query": "q", name: _WRONG, "source_documents": _DOCUMENTS})
    assert (reply[name], reply["answer"], reply["passed"]) == ("Ask a person.", "Ask a person.", False)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("hello", 'takes a mapping with "answer", "context" and optionally "question", .*, not a string'),
        (["hello"], "takes a mapping with .*, not a value of the type list"),
        (None, "takes a mapping with .*, not None"),
        (AIMessage("hello"), "takes a mapping with .*, not a value of the type AIMessage"),
        ({"answer": _RIGHT, "context": [5]}, "reads texts and messages, not a value of the type int"),
        ({"answer": _RIGHT, "context": [{"words": "x"}]}, "a mapping with `text` .*; it has only 'words'"),
    ],
)
def test_an_input_of_another_type_is_refused_in_a_sentence(guard: FaithfulnessGuard, given: Any, said: str) -> None:
    runnable = GuardRunnable(guard)
    with pytest.raises(InvalidInput, match=said):
        runnable.invoke(given)
    with pytest.raises(InvalidInput, match=said):
        asyncio.run(runnable.ainvoke(given))


def test_chunks_may_be_dictionaries_as_in_check(guard: FaithfulnessGuard) -> None:
    given = _given(_RIGHT, context=[{"id": "a", "text": "The office opens at 9 am. Parking costs 7 euros."}])
    assert GuardRunnable(guard).invoke(given)["guard"].before.result.claims[0].supporting_chunk_ids == ("a",)


def test_a_judge_s_name_is_not_a_guard() -> None:
    with pytest.raises(InvalidInput, match=r"`guard` must be a FaithfulnessGuard, .*, not a string"):
        GuardRunnable("lexical")  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("given", [{}, {"answer": "a"}, {"context": []}, {"answer": 5, "context": []}])
def test_an_input_without_answer_or_context_is_refused(guard: FaithfulnessGuard, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        GuardRunnable(guard).invoke(given)
