"""The guard around a query engine of LlamaIndex."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import AsyncStreamingResponse, Response, StreamingResponse
from llama_index.core.callbacks import CallbackManager
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from faithview import FaithfulnessGuard, GuardBlocked
from faithview.domain.errors import InvalidInput
from faithview.integrations.llamaindex import GuardedQueryEngine, guard_response

pytestmark = pytest.mark.integration

_NODES = [
    NodeWithScore(node=TextNode(text="The office opens at 9 am.", id_="kb-1"), score=0.9),
    NodeWithScore(node=TextNode(text="Parking costs 7 euros.", id_="kb-2", metadata={"page": 2}), score=0.8),
]
_WRONG = "The office opens at 9 am. Parking costs 5 euros."
_RIGHT = "The office opens at 9 am. Parking costs 7 euros."


class _Engine(BaseQueryEngine):
    def __init__(self, response: Any) -> None:
        super().__init__(callback_manager=CallbackManager([]))
        self.response = response

    def _query(self, query_bundle: QueryBundle) -> Any:
        return self.response

    async def _aquery(self, query_bundle: QueryBundle) -> Any:
        return self.response

    def _get_prompt_modules(self) -> dict[str, Any]:
        return {}


@pytest.fixture(scope="module")
def guard() -> Iterator[FaithfulnessGuard]:
    with FaithfulnessGuard("lexical") as made:
        yield made


def _response(text: str | None = _WRONG) -> Response:
    return Response(text, source_nodes=_NODES, metadata={"kb-1": {"a": 1}})


def test_the_engines_answer_is_corrected(guard: FaithfulnessGuard) -> None:
    engine = GuardedQueryEngine(_Engine(_response()), guard)
    for response in (engine.query("What does it cost?"), asyncio.run(engine.aquery("What does it cost?"))):
        assert isinstance(response, Response)
        assert response.response == _RIGHT
        assert response.source_nodes == _NODES
        assert response.metadata is not None
        assert response.metadata["kb-1"] == {"a": 1}
        assert response.metadata["faithview"]["passed"] is True
        before = response.metadata["faithview"]["guard"].before
        assert [claim.supporting_chunk_ids for claim in before.result.claims] == [("kb-1",), ("kb-2",)]


def test_a_streamed_answer_is_judged_when_it_is_whole(guard: FaithfulnessGuard) -> None:
    async def pieces() -> Any:
        for piece in (_WRONG[:20], _WRONG[20:]):
            yield piece

    stream = StreamingResponse((piece for piece in (_WRONG[:20], _WRONG[20:])), source_nodes=_NODES)
    assert str(GuardedQueryEngine(_Engine(stream), guard).query("q")) == _RIGHT
    later = AsyncStreamingResponse(pieces(), source_nodes=_NODES)
    assert str(asyncio.run(GuardedQueryEngine(_Engine(later), guard).aquery("q"))) == _RIGHT


def test_a_blocked_answer_is_not_sent(guard: FaithfulnessGuard) -> None:
    with pytest.raises(GuardBlocked):
        GuardedQueryEngine(_Engine(_response()), guard, correct=False).query("q")
    with FaithfulnessGuard("lexical", fallback="Ask a person.") as other:
        assert str(GuardedQueryEngine(_Engine(_response()), other, correct=False).query("q")) == "Ask a person."
    seen = guard_response(_response(), guard, correct=False, enforce=False)
    assert seen.metadata is not None
    assert (seen.response, seen.metadata["faithview"]["passed"]) == (_WRONG, False)


def test_a_response_without_text_is_refused(guard: FaithfulnessGuard) -> None:
    for response, words in ((_response(None), "has no text"), ("text", "not str"), (None, "not NoneType")):
        with pytest.raises(InvalidInput, match=words):
            guard_response(response, guard)
