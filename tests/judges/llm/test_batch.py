"""Judging by batches gives what judging at once gives, and goes on after a restart where it was."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from faithview.domain.errors import InvalidInput, JudgeFailed
from faithview.domain.result import Result, State, Usage
from faithview.domain.sample import Sample
from faithview.judges.capabilities import AsksModel
from faithview.judges.llm.batch import BatchState, advance
from faithview.judges.llm.judge import LlmJudge
from tests.judges.llm.batch_server import Batches
from tests.judges.llm.judging import VENDORS, judge_against, make_judge
from tests.judges.llm.server import Status, sensible, serving

both_vendors = pytest.mark.parametrize("vendor", VENDORS)

_SAMPLES = [
    Sample.of(f"Fact number {n} holds. It always did.", [f"Fact number {n} holds."], question="So?", key=f"row {n} ✓")
    for n in range(5)
]
_T = TypeVar("_T")


def _with_batches(vendor: str, use: Callable[[Callable[[], LlmJudge], Batches], Awaitable[_T]], **options: Any) -> _T:
    async def run() -> _T:
        batches = Batches()
        async with serving(batches) as (_, url):
            judges: list[LlmJudge] = []

            def judge() -> LlmJudge:
                judges.append(make_judge(vendor, url, **options))
                return judges[-1]

            try:
                return await use(judge, batches)
            finally:
                for made in judges:
                    await made.aclose()

    return asyncio.run(run())


async def step(judge: AsksModel, state: BatchState, samples: list[Sample]) -> tuple[BatchState, dict[str, Result]]:
    """One step; gives the results too."""
    results: dict[str, Result] = {}

    async def keep(found: Mapping[str, Result]) -> None:
        results.update(found)

    return await advance(judge, state, samples, keep=keep), results


async def finish(make: Callable[[], AsksModel], samples: list[Sample], *, steps: int = 12) -> dict[str, Result]:
    """Step until all are judged; each step in a new judge and from stored JSON, as after a restart."""
    state = new_state(make())
    results: dict[str, Result] = {}
    for _ in range(steps):
        open_samples = [s for s in samples if s.key not in results]
        state, found = await step(make(), BatchState.from_json(state.to_json()), open_samples)
        results |= found
        if len(results) == len(samples):
            return results
    raise AssertionError("the batches never ended")


def new_state(judge: AsksModel) -> BatchState:
    return BatchState(fingerprint=judge.fingerprint)


@both_vendors
@pytest.mark.parametrize(
    ("method", "batches"), [("claims", 2), ("single", 1), ("per-claim", 2), ("nli", 1), ("qa", 3), ("combined", 3)]
)
def test_batches_give_what_judging_at_once_gives(vendor: str, method: str, batches: int) -> None:
    at_once, _ = judge_against(sensible, _SAMPLES, vendor=vendor, method=method, companions="yes")

    async def use(make: Callable[[], LlmJudge], server: Batches) -> dict[str, Result]:
        results = await finish(make, _SAMPLES)
        assert len(server.submitted) == batches
        return results

    results = _with_batches(vendor, use, method=method, companions="yes")
    assert [results[sample.key] for sample in _SAMPLES] == at_once


@both_vendors
def test_nothing_is_asked_again_while_a_batch_is_under_way(vendor: str) -> None:
    async def use(make: Callable[[], LlmJudge], server: Batches) -> None:
        first, _ = await step(make(), new_state(make()), _SAMPLES)
        server.done = False
        assert await step(make(), first, _SAMPLES) == (first, {})
        assert len(server.submitted) == 1

    _with_batches(vendor, use)


@both_vendors
def test_a_request_that_the_vendor_could_not_answer_fails_its_row_alone(vendor: str) -> None:
    async def use(make: Callable[[], LlmJudge], server: Batches) -> dict[str, Result]:
        good = server.respond
        server.respond = lambda body: None if "number 3" in str(body["messages"]) else good(body)
        return await finish(make, _SAMPLES)

    results = _with_batches(vendor, use)
    assert {key for key, result in results.items() if result.state is State.FAILED} == {"row 3 ✓"}
    assert "overloaded" in (results["row 3 ✓"].error or "")


@both_vendors
def test_a_request_without_an_outcome_fails_its_row_and_is_not_asked_for_ever(vendor: str) -> None:
    async def use(make: Callable[[], LlmJudge], server: Batches) -> dict[str, Result]:
        first, _ = await step(make(), new_state(make()), _SAMPLES)
        server.forgotten = set(list(server.submitted["batch_1"])[:1])
        _, results = await step(make(), first, _SAMPLES)
        return results

    (result,) = _with_batches(vendor, use).values()
    assert result.state is State.FAILED
    assert "without a reply" in (result.error or "")


def test_a_batch_that_failed_as_a_whole_fails_its_rows_with_the_reason() -> None:
    async def use(make: Callable[[], LlmJudge], server: Batches) -> dict[str, Result]:
        first, _ = await step(make(), new_state(make()), _SAMPLES)
        server.status = "failed"
        return (await step(make(), first, _SAMPLES))[1]

    results = _with_batches("openai", use)
    assert [r.state for r in results.values()] == [State.FAILED] * 5
    assert all("the file is bad" in (r.error or "") for r in results.values())


@both_vendors
def test_a_reply_that_needs_repair_takes_one_more_batch(vendor: str) -> None:
    async def use(make: Callable[[], LlmJudge], server: Batches) -> dict[str, Result]:
        good = server.respond

        def respond(body: dict[str, Any]) -> dict[str, Any] | None:
            is_bad = "number 2" in str(body["messages"]) and "could not be used" not in str(body["messages"])
            return {"claims": 7} if is_bad else good(body)

        server.respond = respond
        results = await finish(make, _SAMPLES)
        assert [len(batch) for batch in server.submitted.values()] == [5, 1]
        return results

    results = _with_batches(vendor, use, method="single")
    assert {result.state for result in results.values()} == {State.JUDGED}
    assert results["row 2 ✓"].usage.llm_calls == 2


def test_a_batch_costs_half(tmp_path: Any) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"as_of": "2026-01-01", "vendors": {"openai": {"models": {"m": {"input": 1000, "output": 0}}}}}')

    async def use(make: Callable[[], LlmJudge], server: Batches) -> dict[str, Result]:
        return await finish(make, _SAMPLES[:1])

    (result,) = _with_batches("openai", use, method="single", prices=str(prices)).values()
    assert result.usage == Usage(
        llm_calls=1, prompt_tokens=1000, cached_prompt_tokens=400, completion_tokens=100, cost_usd=0.5
    )


def test_a_batch_of_another_judge_is_refused() -> None:
    async def use(make: Callable[[], LlmJudge], server: Batches) -> None:
        state = replace(new_state(make()), fingerprint="openai:other/claims")
        with pytest.raises(InvalidInput, match="was started with judge openai:other/claims"):
            await step(make(), state, _SAMPLES)

    _with_batches("openai", use)


@both_vendors
def test_a_refused_batch_leaves_everything_as_it_was(vendor: str) -> None:
    async def run() -> None:
        async with serving(lambda _: Status(code=400, message="billing limit reached")) as (_, url):
            judge = make_judge(vendor, url)
            with pytest.raises(JudgeFailed, match="billing limit reached"):
                await step(judge, new_state(judge), _SAMPLES)
            await judge.aclose()

    asyncio.run(run())
