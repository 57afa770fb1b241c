"""A cached verdict is the same verdict, found again only for the same texts judged in the same way."""

from dataclasses import replace

import pytest

from faithview.domain.result import Result, State, Usage
from faithview.domain.sample import Chunk, Sample
from faithview.judges.llm.cache import cache_key, dump_result, is_cacheable, load_result
from faithview.judges.llm.methods import METHODS
from tests.judges.llm.judging import judge_against
from tests.judges.llm.server import sensible

_SAMPLE = Sample(
    answer="The lake is deep. It holds fish.",
    question="How deep is it?",
    chunks=(Chunk(chunk_id="a]", text="The lake is very deep."), Chunk(chunk_id="b", text="It holds fish.")),
)


@pytest.mark.parametrize("method", METHODS)
def test_a_result_comes_back_as_it_was_but_for_what_it_cost(method: str) -> None:
    (result,), _ = judge_against(sensible, [_SAMPLE], method=method, companions="yes")
    loaded = load_result(dump_result(result, _SAMPLE), _SAMPLE)
    assert replace(loaded, usage=result.usage, seconds=result.seconds) == result
    assert loaded.usage == Usage(cached_calls=result.usage.llm_calls)


def test_chunks_under_other_ids_keep_their_verdicts() -> None:
    (result,), _ = judge_against(sensible, [_SAMPLE], companions="yes")
    renamed = replace(_SAMPLE, chunks=tuple(replace(c, chunk_id=f"new-{c.rank}") for c in _SAMPLE.chunks))
    assert cache_key("j", renamed) == cache_key("j", _SAMPLE)
    loaded = load_result(dump_result(result, _SAMPLE), renamed)
    assert loaded.claims[0].supporting_chunk_ids == ("new-1",)
    assert loaded.claims[0].evidence[0].chunk_id == "new-1"
    assert "context_relevance[new-2]" in loaded.metrics


@pytest.mark.parametrize(
    "other",
    [
        replace(_SAMPLE, answer=_SAMPLE.answer + " "),
        replace(_SAMPLE, question=None),
        replace(_SAMPLE, question=""),
        replace(_SAMPLE, chunks=_SAMPLE.chunks[:1]),
        replace(_SAMPLE, chunks=_SAMPLE.chunks[::-1]),
        replace(_SAMPLE, chunks=(replace(_SAMPLE.chunks[0], text="The lake is very deep. "), _SAMPLE.chunks[1])),
    ],
)
def test_any_other_text_is_another_thing(other: Sample) -> None:
    assert cache_key("j", other) != cache_key("j", _SAMPLE)
    assert cache_key("another judge", _SAMPLE) != cache_key("j", _SAMPLE)


def test_failures_and_incomplete_results_are_not_kept() -> None:
    assert not is_cacheable(Result(state=State.FAILED, judge="j", error="x"))
    assert not is_cacheable(Result(state=State.JUDGED, judge="j", warnings=("No relevance figures.",)))
    assert is_cacheable(Result(state=State.JUDGED, judge="j"))
    assert is_cacheable(Result(state=State.ABSTAINED, judge="j"))
