"""LangChain: a runnable that checks the answer of a chain, corrects it, and returns the text to send.

    guarded = chain | GuardRunnable(FaithfulnessGuard("embedded"))
    guarded.invoke({"question": "..."})["answer"]

Needs `langchain-core`. The chain before it has to return the answer with its source documents.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import ConfigDict

from faithview.domain.arguments import described
from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Chunk, read_chunk
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.guard import FaithfulnessGuard, GuardedAnswer, check_guard

# LangChain's own names for these, the most common first.
_CONTEXT_NAMES = ("context", "documents", "source_documents")
_ANSWER_NAMES = ("answer", "result", "output")
_QUESTION_NAMES = ("question", "input", "query")


class Asked(TypedDict):
    """The input of a guard."""

    answer: str
    context: list[Chunk]
    question: str | None


class GuardRunnable(RunnableSerializable[dict[str, Any], dict[str, Any]]):
    """Takes {"question", "context" or "documents", "answer"} and returns the same with the `answer` to send.

    "context" is a text, a document, a `Chunk`, a mapping with "text", or a list of these. Two keys are added: "passed",
    and "guard" with the `GuardCheck`, or the `GuardedAnswer` if answers are corrected. LangChain's names "input",
    "query", "result" and "source_documents" are understood; an answer under "result" or "output" is also replaced
    there.

    Attributes:
        guard: judges the answers; you close it.
        correct: whether an answer that does not pass is corrected first.
        enforce: whether an answer that still does not pass is replaced by the guard's fallback, or raises GuardBlocked
            if there is none. Without it the answer is returned unchanged, and "passed" is False.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    guard: FaithfulnessGuard
    correct: bool = True
    enforce: bool = True

    def __init__(self, guard: FaithfulnessGuard, *, correct: bool = True, enforce: bool = True) -> None:
        """Take the guard; see the attributes. Raises InvalidInput for another type."""
        check_guard(guard)
        super().__init__(guard=guard, correct=correct, enforce=enforce)  # type: ignore[call-arg]  # pydantic's fields

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """False: a judge cannot be serialized."""
        return False

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:
        """Guard one answer.

        Raises:
            InvalidInput: there is no answer or no context in the input.
            GuardBlocked: the answer does not pass, and the guard has no fallback.
        """
        del kwargs
        return self._call_with_config(self._guarded, input, config)

    async def ainvoke(
        self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Do what `invoke` does, from a coroutine."""
        del kwargs
        return await self._acall_with_config(self._aguarded, input, config)

    def _guarded(self, given: dict[str, Any]) -> dict[str, Any]:
        asked = read_input(given)
        seen = self.guard.guard_and_correct(**asked) if self.correct else self.guard.check(**asked)
        return self._reply(given, seen)

    async def _aguarded(self, given: dict[str, Any]) -> dict[str, Any]:
        asked = read_input(given)
        seen = await (self.guard.aguard_and_correct(**asked) if self.correct else self.guard.acheck(**asked))
        return self._reply(given, seen)

    def _reply(self, given: dict[str, Any], seen: GuardCheck | GuardedAnswer) -> dict[str, Any]:
        answer = self.guard.sendable(seen) if self.enforce else seen.answer
        read = _first_name(given, _ANSWER_NAMES) or "answer"
        return {**given, read: answer, "answer": answer, "passed": seen.passed, "guard": seen}


def read_input(given: Mapping[str, Any]) -> Asked:
    """Return a chain's output as a guard's input; raises InvalidInput if answer or context is missing."""
    if not isinstance(given, Mapping):
        raise InvalidInput(
            f'The guard takes a mapping with "answer", "context" and optionally "question", as the chain returns, '
            f"not {described(given)}."
        )
    answer, context = _first(given, _ANSWER_NAMES), _first(given, _CONTEXT_NAMES)
    if answer is None or context is None:
        missing = "answer" if answer is None else "context"
        has = ", ".join(map(repr, given)) or "no keys"
        raise InvalidInput(f"The guard needs the {missing} under the key {missing!r}; the input has {has}.")
    question = _first(given, _QUESTION_NAMES)
    items = context if isinstance(context, Sequence) and not isinstance(context, str) else [context]
    return {
        "answer": _message_text(answer),
        "context": [_chunk(item, number) for number, item in enumerate(items, start=1)],
        "question": None if question is None else _message_text(question),
    }


def _first(given: Mapping[str, Any], names: Sequence[str]) -> Any:
    name = _first_name(given, names)
    return None if name is None else given[name]


def _first_name(given: Mapping[str, Any], names: Sequence[str]) -> str | None:
    return next((name for name in names if given.get(name) is not None), None)


def _message_text(value: Any) -> str:
    if isinstance(value, BaseMessage):
        return str(value.text)
    if isinstance(value, str):
        return value
    raise InvalidInput(f"The guard reads texts and messages, not {described(value)}.")


def _chunk(item: Any, number: int) -> Chunk:
    if isinstance(item, Chunk | Mapping):
        return read_chunk(item, number)
    if isinstance(item, Document):
        return Chunk(text=item.page_content, chunk_id=item.id or "", metadata=dict(item.metadata))
    return Chunk(text=_message_text(item))
