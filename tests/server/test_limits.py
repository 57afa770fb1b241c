"""What bounds the work: the line before the judge, and the queue before the store."""

import asyncio
from collections.abc import Sequence

import pytest

from faithview.domain.errors import StoreError
from faithview.domain.live import Appended, LogRecord, Refusal
from faithview.server.errors import BUSY, JUDGE_TIMEOUT, Refused
from faithview.server.log_writer import LogWriter
from faithview.server.waiting_line import WaitingLine

pytestmark = pytest.mark.process  # takes long


async def _asked(line: WaitingLine, gate: asyncio.Event) -> object:
    async def work() -> str:
        await gate.wait()
        return "done"

    try:
        return await line.run(work)
    except Refused as refused:
        return refused.kind


def test_beyond_the_line_requests_are_refused_at_once() -> None:
    async def scenario() -> list[object]:
        line, gate = WaitingLine(at_once=2, waiting=3, seconds=30), asyncio.Event()
        asked = [asyncio.create_task(_asked(line, gate)) for _ in range(8)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (line.running, line.waiting) == (2, 3)
        assert sum(task.done() for task in asked) == 3
        gate.set()
        found = await asyncio.gather(*asked)
        assert (line.running, line.waiting) == (0, 0)
        return found

    found = asyncio.run(scenario())
    assert found.count("done") == 5
    assert found.count(BUSY) == 3


def test_who_waits_too_long_for_a_place_or_for_the_judge_is_told() -> None:
    async def scenario() -> list[object]:
        line, gate = WaitingLine(at_once=1, waiting=5, seconds=0.05), asyncio.Event()
        found = await asyncio.gather(_asked(line, gate), _asked(line, gate))
        gate.set()
        return [*found, await _asked(line, gate)]

    first, second, third = asyncio.run(scenario())
    assert first is JUDGE_TIMEOUT
    assert second in (BUSY, JUDGE_TIMEOUT)
    assert third == "done"


def test_a_request_that_is_given_up_leaves_its_place() -> None:
    async def scenario() -> object:
        line, gate = WaitingLine(at_once=1, waiting=5, seconds=30), asyncio.Event()
        tasks = [asyncio.create_task(_asked(line, gate)) for _ in range(3)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        gate.set()
        assert (line.running, line.waiting) == (0, 0)
        return await _asked(line, gate)

    assert asyncio.run(scenario()) == "done"


def _records(*names: str) -> list[LogRecord]:
    return [LogRecord(answer=name, context="c", record_id=name) for name in names]


def test_batches_that_arrive_together_are_stored_together_and_each_learns_its_own_refusals() -> None:
    calls: list[int] = []

    def append(records: Sequence[LogRecord]) -> Appended:
        calls.append(len(records))
        bad = [i for i, record in enumerate(records) if record.answer.startswith("bad")]
        refused = tuple(Refusal(index=i, record_id=records[i].record_id, reason="no") for i in bad)
        return Appended(stored=len(records) - len(bad), known=0, refused=refused)

    async def scenario() -> list[tuple[Refusal, ...]]:
        writer = LogWriter(append)
        stores = [
            asyncio.create_task(writer.store(_records(*names))) for names in (("a", "bad1"), ("bad2",), ("b", "c"))
        ]
        await asyncio.sleep(0)
        assert writer.waiting == 5
        writer.start()
        found = await asyncio.gather(*stores)
        await writer.stop()
        assert writer.waiting == 0
        return list(found)

    found = asyncio.run(scenario())
    assert calls == [5]
    assert [[(r.index, r.record_id) for r in refused] for refused in found] == [[(1, "bad1")], [(0, "bad2")], []]


def test_a_failing_store_is_told_to_everybody_and_the_writer_goes_on() -> None:
    fails = [True]

    def append(records: Sequence[LogRecord]) -> Appended:
        if fails:
            raise StoreError("locked")
        return Appended(stored=len(records), known=0)

    async def scenario() -> None:
        writer = LogWriter(append)
        writer.start()
        with pytest.raises(Refused) as refused:
            await writer.store(_records("a"))
        assert refused.value.kind is BUSY
        fails.clear()
        assert await writer.store(_records("a")) == ()
        await writer.stop()

    asyncio.run(scenario())


def test_more_than_fits_is_refused_and_not_held() -> None:
    async def scenario() -> None:
        writer = LogWriter(lambda records: Appended(stored=len(records), known=0))
        waiting = [asyncio.create_task(writer.store(_records(*map(str, range(500))))) for _ in range(40)]
        await asyncio.sleep(0)
        with pytest.raises(Refused):
            await writer.store(_records("one more"))
        writer.start()
        await asyncio.gather(*waiting)
        await writer.stop()

    asyncio.run(scenario())
