"""LlamaIndex: a query engine that checks the answers of another one, corrects them, and returns the text to send.

    engine = GuardedQueryEngine(index.as_query_engine(), FaithfulnessGuard("embedded"))
    engine.query("...").response

Needs `llama-index-core`. A node postprocessor runs before there is an answer, so it cannot check one: this wraps the
whole engine, and `guard_response` takes an existing response.
"""

from dataclasses import replace
from inspect import isawaitable
from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from faithview.domain.arguments import described
from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Chunk
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.guard import FaithfulnessGuard, GuardedAnswer, check_guard


class GuardedQueryEngine(BaseQueryEngine):
    """Asks an engine, and returns its response with the text to send.

    `response.metadata["faithview"]` has "passed" and "guard", the `GuardCheck` or, if answers are corrected, the
    `GuardedAnswer`. A streamed response is read to its end first, because sent text cannot be taken back.
    """

    def __init__(
        self, engine: BaseQueryEngine, guard: FaithfulnessGuard, *, correct: bool = True, enforce: bool = True
    ) -> None:
        """Take the engine and the guard.

        Args:
            engine: answers the questions; its responses must include their source nodes.
            guard: judges the answers; you close it.
            correct: whether an answer that does not pass is corrected first.
            enforce: whether an answer that still does not pass is replaced by the guard's fallback, or raises
                GuardBlocked if there is none.

        Raises:
            InvalidInput: an argument is of another type.
        """
        if not isinstance(engine, BaseQueryEngine):
            raise InvalidInput(f"`engine` must be a query engine of LlamaIndex, not {described(engine)}.")
        check_guard(guard)
        super().__init__(callback_manager=engine.callback_manager)
        self._engine = engine
        self._guard = guard
        self._correct = correct
        self._enforce = enforce

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        response: Any = self._engine.query(query_bundle)
        if hasattr(response, "get_response"):
            response = response.get_response()
        return guard_response(
            response, self._guard, question=query_bundle.query_str, correct=self._correct, enforce=self._enforce
        )

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        response: Any = await self._engine.aquery(query_bundle)
        if hasattr(response, "get_response"):
            whole = response.get_response()
            response = await whole if isawaitable(whole) else whole
        asked = _asked(response, query_bundle.query_str)
        seen = await (self._guard.aguard_and_correct(**asked) if self._correct else self._guard.acheck(**asked))
        return _guarded_response(response, seen, self._guard, enforce=self._enforce)

    def _get_prompt_modules(self) -> dict[str, Any]:
        return {"engine": self._engine}


def guard_response(
    response: Any,
    guard: FaithfulnessGuard,
    *,
    question: str | None = None,
    correct: bool = True,
    enforce: bool = True,
) -> Response:
    """Return a response with the text to send (see `GuardedQueryEngine`).

    Raises:
        InvalidInput: the response has no text.
        GuardBlocked: the answer does not pass, and the guard has no fallback.
    """
    asked = _asked(response, question)
    seen = guard.guard_and_correct(**asked) if correct else guard.check(**asked)
    return _guarded_response(response, seen, guard, enforce=enforce)


def chunk_of(node: NodeWithScore) -> Chunk:
    """Return a retrieved node as a chunk, with the text that the model was given."""
    text = node.node.get_content(metadata_mode=MetadataMode.LLM)
    return Chunk(text=text, chunk_id=node.node.node_id, score=node.score, metadata=dict(node.node.metadata))


def _asked(response: Any, question: str | None) -> dict[str, Any]:
    if not isinstance(response, Response):
        raise InvalidInput(f"The guard reads a LlamaIndex Response, not {type(response).__name__}.")
    if response.response is None:
        raise InvalidInput("The response has no text to check: its `response` is None.")
    context = [chunk_of(node) for node in response.source_nodes]
    return {"answer": response.response, "context": context, "question": question}


def _guarded_response(
    response: Response, seen: GuardCheck | GuardedAnswer, guard: FaithfulnessGuard, *, enforce: bool
) -> Response:
    text = guard.sendable(seen) if enforce else seen.answer
    metadata = {**(response.metadata or {}), "faithview": {"passed": seen.passed, "guard": seen}}
    return replace(response, response=text, metadata=metadata)
