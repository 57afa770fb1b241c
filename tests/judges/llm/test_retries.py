"""The pace of calls: what the vendors' headers say, and how everybody slows down together."""

import asyncio
import random
import time
from datetime import UTC, datetime

import pytest

from faithview.domain.errors import JudgeFailed
from faithview.judges.llm.retries import (
    CallFailed,
    Limiter,
    RetryPolicy,
    Trouble,
    exhausted_for_s,
    limiter_for,
    retry_after_s,
)

_NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
    ],
)
def test_how_long_a_reply_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, now=_NOW) == seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"x-ratelimit-remaining-requests": "5", "x-ratelimit-reset-requests": "1s"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 360.0),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "20ms"}, 0.02),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1h2m3.5s"}, 3723.5),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "?"}, None),
        ({"x-ratelimit-remaining-tokens": "0"}, None),
        (
            {
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "1s",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "3s",
            },
            3.0,
        ),
        (
            {
                "anthropic-ratelimit-input-tokens-remaining": "0",
                "anthropic-ratelimit-input-tokens-reset": "2026-03-01T12:00:09Z",
            },
            9.0,
        ),
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-03-01T12:00:09",
            },
            None,  # without a time zone nobody knows when that is
        ),
    ],
)
def test_for_how_long_nothing_is_left(headers: dict[str, str], seconds: float | None) -> None:
    assert exhausted_for_s(headers, now=_NOW) == seconds


def test_waits_double_up_to_a_limit_with_up_to_half_more_by_chance() -> None:
    policy = RetryPolicy(first_wait_s=1, longest_wait_s=5)
    waits = [policy.wait_s(attempt, random.Random(attempt)) for attempt in range(1, 7)]
    for wait, least in zip(waits, [1, 2, 4, 5, 5, 5], strict=True):
        assert least <= wait <= 1.5 * least
    assert len({wait / least for wait, least in zip(waits, [1, 2, 4, 5, 5, 5], strict=True)}) == 6


def _run(trouble: list[CallFailed], *, policy: RetryPolicy) -> tuple[str, int, float]:
    calls = 0

    async def call() -> str:
        nonlocal calls
        calls += 1
        if trouble:
            raise trouble.pop(0)
        return "done"

    async def run() -> tuple[str, int, float]:
        start = time.monotonic()
        reply = await Limiter(1).run(call, policy=policy)
        return reply, calls, time.monotonic() - start

    return asyncio.run(run())


_QUICK = RetryPolicy(first_wait_s=0.01, longest_wait_s=0.02)


def test_a_call_waits_as_long_as_it_is_told() -> None:
    reply, calls, seconds = _run([CallFailed("x", Trouble.RATE_LIMITED, wait_s=0.2)], policy=_QUICK)
    assert (reply, calls) == ("done", 2)
    assert 0.2 <= seconds < 0.4


@pytest.mark.parametrize(
    ("trouble", "attempts"),
    [(Trouble.REJECTED, 1), (Trouble.SERVER, 6), (Trouble.UNREACHABLE, 6), (Trouble.RATE_LIMITED, 14)],
)
def test_a_call_is_given_up_after_as_many_attempts_as_make_sense(trouble: Trouble, attempts: int) -> None:
    failures = [CallFailed("It broke.", trouble) for _ in range(50)]
    with pytest.raises(JudgeFailed, match=r"It broke\.") as caught:
        _run(failures, policy=_QUICK)
    assert len(failures) == 50 - attempts
    assert ("Given up after" in str(caught.value)) == (attempts > 1)


def test_a_burst_of_refusals_counts_as_one_and_does_not_double_the_wait_each_time() -> None:
    policy = RetryPolicy(first_wait_s=0.05, longest_wait_s=60)
    starts: list[float] = []

    async def run() -> float:
        limiter = Limiter(20)
        begin = time.monotonic()
        refused = 0

        async def call() -> None:
            nonlocal refused
            starts.append(time.monotonic() - begin)
            await asyncio.sleep(0.01)
            if refused < 20:
                refused += 1
                raise CallFailed("busy", Trouble.RATE_LIMITED)

        await asyncio.gather(*(limiter.run(call, policy=policy) for _ in range(20)))
        return time.monotonic() - begin

    seconds = asyncio.run(run())
    assert seconds < 1  # twenty doublings would be hours
    assert min(starts[20:]) >= 0.05  # all of them waited


def test_everything_in_a_loop_that_calls_a_host_shares_its_limit() -> None:
    async def run() -> None:
        one = limiter_for("h", limit=3)
        assert limiter_for("h", limit=2) is one
        assert one.limit == 3
        assert limiter_for("h", limit=5).limit == 5
        assert limiter_for("other", limit=1) is not one

    asyncio.run(run())
