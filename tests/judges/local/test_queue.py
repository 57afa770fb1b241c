"""Answers that are judged at the same time are read together."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from faithview.domain.errors import JudgeFailed
from faithview.judges.local.networks import ReadingQueue


def test_requests_of_one_turn_are_read_together_outside_the_loop() -> None:
    seen: list[tuple[list[int], str]] = []

    def read(asked: Sequence[int]) -> list[int]:
        seen.append((list(asked), threading.current_thread().name))
        return [number * 10 for number in asked]

    async def use() -> list[int]:
        queue = ReadingQueue(read)
        found = await asyncio.gather(*(queue.ask(number) for number in range(4)))
        await queue.aclose()
        return found

    assert asyncio.run(use()) == [0, 10, 20, 30]
    assert [asked for asked, _ in seen] == [[0, 1, 2, 3]]
    assert seen[0][1].startswith("faithview-model")


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.1, [4, 8, 16, 32, 40]), (2.0, [4] * 25), (9.0, [4, 2] + [1] * 94)],
    ids=["quick", "right", "slow"],
)
def test_as_many_are_read_together_as_take_a_second_or_two(seconds: float, expected: list[int]) -> None:
    sizes: list[int] = []

    def read(asked: Sequence[int]) -> list[int]:
        sizes.append(len(asked))
        return list(asked)

    async def use() -> None:
        queue = ReadingQueue(read, clock=lambda: len(sizes) * seconds)
        assert await asyncio.gather(*(queue.ask(number) for number in range(100))) == list(range(100))
        await queue.aclose()

    asyncio.run(use())
    assert sizes == expected


def test_what_gathers_during_a_reading_is_read_next() -> None:
    sizes: list[int] = []

    def read(asked: Sequence[int]) -> list[int]:
        sizes.append(len(asked))
        return list(asked)

    async def use() -> None:
        queue = ReadingQueue(read)
        first = asyncio.create_task(queue.ask(0))
        await asyncio.sleep(0)
        await asyncio.gather(first, queue.ask(1), queue.ask(2))
        await queue.aclose()

    asyncio.run(use())
    assert sum(sizes) == 3


def test_one_request_that_fails_takes_no_other_with_it() -> None:
    def read(asked: Sequence[int]) -> list[int]:
        if 2 in asked:
            raise JudgeFailed("two")
        return list(asked)

    async def use() -> list[int | BaseException]:
        queue = ReadingQueue(read)
        found = await asyncio.gather(*(queue.ask(number) for number in range(4)), return_exceptions=True)
        await queue.aclose()
        return found

    found = asyncio.run(use())
    assert [found[0], found[1], found[3]] == [0, 1, 3]
    assert isinstance(found[2], JudgeFailed)


def test_a_queue_can_be_used_again_after_a_failure() -> None:
    calls: list[int] = []

    def read(asked: Sequence[int]) -> list[int]:
        calls.append(len(asked))
        if len(calls) == 1:
            raise JudgeFailed("once")
        return list(asked)

    async def use() -> int:
        queue = ReadingQueue(read)
        with pytest.raises(JudgeFailed):
            await queue.ask(1)
        found = await queue.ask(2)
        await queue.aclose()
        return found

    assert asyncio.run(use()) == 2
