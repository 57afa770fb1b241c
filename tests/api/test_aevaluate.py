"""`aevaluate`: the loop goes on meanwhile, and cancelling it cancels the run."""

import asyncio
import threading
from concurrent.futures import Future
from pathlib import Path

import pytest

from faithview import Sample, aevaluate, evaluate, open_store
from faithview.domain.run import RunStatus
from faithview.services.runs.judge_answer import run_blocking

CHUNK = "Parking is free for guests."


def samples(number: int) -> list[Sample]:
    return [Sample.of(f"Parking {n} is free for guests.", CHUNK, question=f"q{n}") for n in range(number)]


def test_it_gives_the_same_and_leaves_the_loop_free() -> None:
    async def both() -> int:
        steps = 0
        task = asyncio.create_task(aevaluate(samples(20), judge="lexical"))
        while not task.done():
            await asyncio.sleep(0)
            steps += 1
        expected = await asyncio.to_thread(evaluate, samples(20), judge="lexical")
        assert [r.claims for r in task.result().results] == [r.claims for r in expected.results]
        return steps

    assert asyncio.run(both()) > 1


def test_cancelling_it_ends_the_run_as_cancelled_and_keeps_what_was_judged(store_file: Path) -> None:
    async def begin_and_cancel() -> None:
        with open_store(f"sqlite:///{store_file}") as store:
            work = asyncio.create_task(aevaluate(samples(3000), judge="lexical", store=store, name="long"))
            while not any(summary.run.status is RunStatus.RUNNING for summary in store.runs()):
                assert not work.done()
                await asyncio.sleep(0.01)
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work
            run = store.run("long")
            assert run.summary.run.status is RunStatus.CANCELLED
            assert run.summary.states["pending"] > 0
            assert run.summary.rows == 3000

    asyncio.run(begin_and_cancel())


def test_cancelling_it_before_it_has_begun_judges_nothing(store_file: Path) -> None:
    async def begin_and_cancel() -> None:
        with open_store(f"sqlite:///{store_file}") as store:
            work = asyncio.create_task(aevaluate(samples(50), judge="lexical", store=store))
            await asyncio.sleep(0)
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work
            assert all(summary.run.status is RunStatus.CANCELLED for summary in store.runs())
            assert all(summary.states["pending"] == 50 for summary in store.runs())

    asyncio.run(begin_and_cancel())


def test_an_interrupt_stops_the_work_that_a_notebook_waits_for() -> None:
    began = threading.Event()
    ended: list[str] = []

    async def long() -> None:
        try:
            began.set()
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def notebook() -> None:
        with pytest.MonkeyPatch.context() as patch:

            def interrupted(self: "Future[object]", timeout: float | None = None) -> object:
                began.wait()
                raise KeyboardInterrupt  # it reaches the main thread, which waits for the result

            patch.setattr(Future, "result", interrupted)
            with pytest.raises(KeyboardInterrupt):
                run_blocking(long())

    asyncio.run(notebook())
    assert ended == ["cancelled"]


def test_work_that_is_stopped_beforehand_never_begins() -> None:
    begun: list[str] = []

    async def work() -> None:
        begun.append("yes")

    stop = threading.Event()
    stop.set()
    with pytest.raises(asyncio.CancelledError):
        run_blocking(work(), stop=stop)
    assert begun == []
