"""Rate limits and retries: one limit and one pause per vendor for all calls of this process."""

import asyncio
import email.utils
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar
from weakref import WeakKeyDictionary

from faithview.domain.diagnosis import Fault
from faithview.domain.errors import JudgeFailed

_T = TypeVar("_T")


class Trouble(StrEnum):
    """Why a call gave no reply."""

    RATE_LIMITED = "rate limited"  # too many requests to the vendor: all calls wait
    OVERLOADED = "overloaded"  # the vendor is at its limit: all calls wait
    SERVER = "server error"  # this call alone is tried again
    UNREACHABLE = "unreachable"  # no connection, or it broke, or it took too long
    REJECTED = "rejected"  # asking again would give the same


class CallFailed(Exception):
    """One attempt failed. `text` is fit to be shown; `wait_s` is how long the vendor says to wait, None if it does not.

    `is_final`: no other question would fare better (a wrong key, an unknown model). `fault` is what a person has to
    look at.
    """

    def __init__(
        self,
        text: str,
        trouble: Trouble,
        *,
        fault: Fault = Fault.SERVER,
        wait_s: float | None = None,
        is_final: bool = False,
    ) -> None:
        super().__init__(text)
        self.fault = fault
        self.text = text
        self.trouble = trouble
        self.wait_s = wait_s
        self.is_final = is_final


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and after how many seconds a call is tried again.

    The n-th wait is `first_wait_s` times 2 to the n-1, at most `longest_wait_s`, plus up to half of that by chance. A
    vendor that asks for more than `patience_s` is given up.
    """

    first_wait_s: float = 0.5
    longest_wait_s: float = 30.0
    patience_s: float = 600.0
    server_attempts: int = 6
    limit_attempts: int = 14

    def wait_s(self, attempt: int, rng: random.Random) -> float:
        """Return how long to wait after the attempt, counted from 1."""
        doubled: float = self.first_wait_s * 2 ** (attempt - 1)
        return min(self.longest_wait_s, doubled) * (1 + rng.random() / 2)

    def attempts(self, trouble: Trouble) -> int:
        """Return how often a call in such trouble is made at most."""
        if trouble is Trouble.REJECTED:
            return 1
        return self.limit_attempts if trouble in _SHARED else self.server_attempts


_SHARED = (Trouble.RATE_LIMITED, Trouble.OVERLOADED)


class Limiter:
    """Limits all calls to one vendor: a cap on concurrent calls, and a pause for all if the vendor asks for one."""

    def __init__(self, limit: int, *, rng: random.Random | None = None) -> None:
        self._slots = asyncio.Semaphore(limit)
        self._limit = limit
        self._resume_at = 0.0
        self._paused_at = 0.0
        self._strikes = 0
        self._rng = rng or random.Random()  # noqa: S311 - jitter

    @property
    def limit(self) -> int:
        """How many calls are allowed at a time."""
        return self._limit

    def widen(self, limit: int) -> None:
        """Raise the cap on concurrent calls to at least this number."""
        while self._limit < limit:
            self._limit += 1
            self._slots.release()

    async def run(self, call: Callable[[], Awaitable[_T]], *, policy: RetryPolicy) -> _T:
        """Make a call at the vendor's rate, and retry it if that may help.

        Raises:
            JudgeFailed: there was no reply; the text names the last error and the number of attempts.
        """
        attempt = 0
        while True:
            attempt += 1
            async with self._slot():
                started = time.monotonic()
                try:
                    reply = await call()
                except CallFailed as failure:
                    wait = self._wait_after(failure, attempt, started, policy)
                else:
                    self._ease(started)
                    return reply
            await asyncio.sleep(wait)

    def pause(self, wait_s: float) -> None:
        """Start no call for this many seconds, or until the end of the current pause if that is later."""
        self._resume_at = max(self._resume_at, time.monotonic() + wait_s)

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        async with self._slots:
            while (wait := self._resume_at - time.monotonic()) > 0:  # noqa: ASYNC110 - it may be longer by then
                # Not all at once when the pause ends: it would be the same burst again.
                await asyncio.sleep(wait * (1 + self._rng.random() / 4))
            yield

    def _wait_after(self, failure: CallFailed, attempt: int, started: float, policy: RetryPolicy) -> float:
        """Return how long this call waits; pauses all calls if the problem concerns all."""
        if attempt >= policy.attempts(failure.trouble):
            raise JudgeFailed(
                failure.text if attempt == 1 else f"{failure.text} Given up after {attempt} attempts."
            ) from failure
        if failure.wait_s is not None and failure.wait_s > policy.patience_s:
            raise JudgeFailed(f"{failure.text} It asks to wait {failure.wait_s:.0f} s, which is too long.") from failure
        if failure.trouble not in _SHARED:
            return failure.wait_s if failure.wait_s is not None else policy.wait_s(attempt, self._rng)
        if started >= self._paused_at:  # else this call belongs to the burst that the pause is for
            self._strikes += 1
            self._paused_at = time.monotonic()
        self.pause(failure.wait_s if failure.wait_s is not None else policy.wait_s(self._strikes, self._rng))
        return 0.0

    def _ease(self, started: float) -> None:
        if started >= self._paused_at:
            self._strikes = max(0, self._strikes - 1)


_limiters: "WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Limiter]]" = WeakKeyDictionary()


def limiter_for(host: str, *, limit: int) -> Limiter:
    """Return the limiter that everything in this event loop shares for the host, at least as wide as asked."""
    limiters = _limiters.setdefault(asyncio.get_running_loop(), {})
    limiter = limiters.setdefault(host, Limiter(limit))
    limiter.widen(limit)
    return limiter


def retry_after_s(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return how many seconds a reply asks to wait (`retry-after-ms`, `retry-after`); None if it does not say."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or text is None:
        return seconds
    try:
        at = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, at.timestamp() - now.timestamp())


def exhausted_for_s(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return for how many seconds nothing is left, by the vendors' rate-limit headers; None if something is.

    OpenAI: `x-ratelimit-remaining-KIND` and `x-ratelimit-reset-KIND` ("6m0s"). Anthropic:
    `anthropic-ratelimit-KIND-remaining` and `anthropic-ratelimit-KIND-reset` (a time).
    """
    waits = []
    for name, value in headers.items():
        if value != "0":
            continue
        if name.startswith("x-ratelimit-remaining-"):
            waits.append(_duration_s(headers.get(name.replace("remaining", "reset"), "")))
        elif name.startswith("anthropic-ratelimit-") and name.endswith("-remaining"):
            waits.append(_until_s(headers.get(name.removesuffix("remaining") + "reset", ""), now))
    known = [wait for wait in waits if wait is not None]
    return max(known, default=None)


_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def _duration_s(text: str) -> float | None:
    parts = _DURATION.findall(text)
    return sum(float(number) * _SECONDS[unit] for number, unit in parts) if parts else None


def _until_s(text: str, now: datetime) -> float | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if at.tzinfo is None else max(0.0, (at - now).total_seconds())


def _number(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else None
    except ValueError:
        return None
    return number if number is not None and 0 <= number < float("inf") else None
