"""Stores logged answers, many requests' at a time: a transaction costs more than a row."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from faithview.domain.errors import StoreError
from faithview.domain.live import Appended, LogRecord, Refusal
from faithview.server.errors import BUSY, Refused
from faithview.services.live.append import append_in_parts

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
            done = await asyncio.to_thread(self._store, [record for b in batches for record in b.records])
        except Exception as error:  # noqa: BLE001 - a border: each request that waits is told, and it is logged
            _log.error("%d logged answers were not stored: %s", count, type(error).__name__)
            done = _Done(0, ())
        finally:
            self.waiting -= count
        _tell(batches, done)

    def _store(self, records: Sequence[LogRecord]) -> "_Done":
        """Store records in order, as far as the store can be used."""
        count = 0
        refused: list[Refusal] = []
        try:
            for part in append_in_parts(self._append, records):
                refused += [_moved(refusal, -count) for refusal in part.refused]
                count += part.stored + part.known + len(part.refused)
        except StoreError as error:
            _log.error("%d logged answers were not stored: %s", len(records) - count, type(error).__name__)
        return _Done(count, tuple(refused))


@dataclass(frozen=True, slots=True)
class _Done:
    """How many records, from the first, are stored or refused, and those that are refused."""

    count: int
    refused: tuple[Refusal, ...]


def _tell(batches: Sequence[_Batch], done: _Done) -> None:
    start = 0
    for batch in batches:
        end = start + len(batch.records)
        if not batch.stored.done() and end <= done.count:
            batch.stored.set_result(tuple(_moved(r, start) for r in done.refused if start <= r.index < end))
        elif not batch.stored.done():
            message = "The store cannot be written to; send the answers again later."
            batch.stored.set_exception(Refused(BUSY, message, retry_after_s=_RETRY_AFTER_S))
        start = end


def _moved(refusal: Refusal, start: int) -> Refusal:
    return Refusal(index=refusal.index - start, record_id=refusal.record_id, reason=refusal.reason)
