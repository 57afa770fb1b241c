"""Stores logged answers, many requests' at a time: a transaction costs more than a row."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from faithview.domain.live import Appended, LogRecord, Refusal
from faithview.server.errors import BUSY, Refused

_log = logging.getLogger(__name__)

MOST_WAITING = 20_000
_MOST_AT_ONCE = 500
_RETRY_AFTER_S = 2.0

Append = Callable[[Sequence[LogRecord]], Appended]


@dataclass(slots=True)
class _Batch:
    records: Sequence[LogRecord]
    stored: "asyncio.Future[tuple[Refusal, ...]]"


class LogWriter:
    """Takes batches from requests and stores them in a thread. A request waits until its answers are in the store."""

    def __init__(self, append: Append) -> None:
        self._append = append
        self._batches: list[_Batch] = []
        self._arrived = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_stopping = False
        self.waiting = 0

    def start(self) -> None:
        """Start storing; call it in the event loop."""
        self._task = asyncio.create_task(self._work(), name="faithview-log")

    async def store(self, records: Sequence[LogRecord]) -> tuple[Refusal, ...]:
        """Store records; return those that cannot be used. The others are in the store then, or were before.

        Raises:
            Refused: too many wait, or the store cannot be reached; these records have to be sent again.
        """
        if self.waiting + len(records) > MOST_WAITING:
            raise Refused(BUSY, "Too many answers wait to be stored.", retry_after_s=_RETRY_AFTER_S)
        batch = _Batch(records, asyncio.get_running_loop().create_future())
        self._batches.append(batch)
        self.waiting += len(records)
        self._arrived.set()
        return await batch.stored

    async def stop(self) -> None:
        """Store what waits, then end."""
        if self._task is not None:
            self._is_stopping = True
            self._arrived.set()
            await self._task
            self._task = None

    async def _work(self) -> None:
        while self._batches or not self._is_stopping:
            if not self._batches:
                self._arrived.clear()
                await self._arrived.wait()
            await self._store_next()

    async def _store_next(self) -> None:
        batches: list[_Batch] = []
        count = 0
        while self._batches and (not batches or count + len(self._batches[0].records) <= _MOST_AT_ONCE):
            batches.append(self._batches.pop(0))
            count += len(batches[-1].records)
        if not batches:
            return
        try:
            appended = await asyncio.to_thread(self._append, [record for b in batches for record in b.records])
        except Exception as error:  # noqa: BLE001 - a border: each request that waits is told, and it is logged
            _log.error("%d logged answers were not stored: %s", count, type(error).__name__)
            message = "The store cannot be written to; send the answers again later."
            for batch in batches:
                if not batch.stored.done():
                    batch.stored.set_exception(Refused(BUSY, message, retry_after_s=_RETRY_AFTER_S))
            return
        finally:
            self.waiting -= count
        start = 0
        for batch in batches:
            end = start + len(batch.records)
            own = (r for r in appended.refused if start <= r.index < end)
            if not batch.stored.done():
                batch.stored.set_result(tuple(replace(refusal, index=refusal.index - start) for refusal in own))
            start = end
