"""Store the rows of a run while they are read, so memory does not grow with the file.

Rows that fit one transaction are stored all or none. With more rows, the run cannot be judged until the last one is
stored (`store/intake.py`). If reading fails, the run is deleted. If its process is killed, the run stays until the file
is read again: nothing was judged yet, so nothing is lost.

Processes that judge a run or read its file have names, so other processes can tell whether they have ended.

"""

import os
import secrets
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeAlias, TypeVar

from faithview.domain.buckets import is_plausible
from faithview.domain.errors import NotFound
from faithview.domain.run import Run, RunStatus
from faithview.domain.sample import Sample
from faithview.formats.files.report import ReadReport
from faithview.store import intake, runs
from faithview.store.database import Database
from faithview.store.runs import is_silent

# The names of work that this process has finished or abandoned. After a store error the run cannot be released in the
# store, while the process (a watch, a notebook) continues.
_ended: set[str] = set()


def process_token() -> str:
    """Return a unique name for this process and piece of work."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def end_work(token: str) -> None:
    """Record that this process no longer works on the piece of work with that name."""
    _ended.add(token)


def is_gone(token: str) -> bool:
    """Return whether the work with that name has ended on this machine; False if unknown."""
    host, pid, _ = token.rsplit(":", 2)
    return token in _ended or (host == socket.gethostname() and not _is_running(int(pid)))


def release_if_dead(db: Database, run_id: str) -> None:
    """Release the run if its worker on this machine has ended, so other processes need not wait for the lease."""
    worker = runs.find_worker(db, run_id)
    if worker is not None and is_gone(worker):
        runs.release_dead_worker(db, run_id, worker=worker)


def _is_running(pid: int) -> bool:
    if os.name == "nt":  # on Windows signal 0 would end the process; the lease decides instead
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's process
    return True


# A transaction ends with this many rows, or with this much text, because rows may have a megabyte each.
_MOST_ROWS = 1_000
_MOST_CHARACTERS = 1_000_000

OnStored: TypeAlias = Callable[[int], None]
_Row = TypeVar("_Row")


def text_size(sample: Sample) -> int:
    """Return how many characters an answer and its chunks have."""
    return len(sample.answer) + sum(len(chunk.text) for chunk in sample.chunks)


def newest_time(samples: Sequence[Sample]) -> datetime | None:
    """Return the time of the newest of some answers; None if none has a plausible one."""
    return max((s.timestamp for s in samples if s.timestamp is not None and is_plausible(s.timestamp)), default=None)


def batches_of(items: Iterable[_Row], *, size: Callable[[_Row], int]) -> Iterator[list[_Row]]:
    """Yield rows in batches that fit in memory; `size` returns the characters of a row."""
    batch: list[_Row] = []
    characters = 0
    for item in items:
        batch.append(item)
        characters += size(item)
        if len(batch) >= _MOST_ROWS or characters >= _MOST_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


class RowWriter:
    """Stores the rows of a new run in several transactions: `add` for each, then `end`.

    Attributes:
        run: the run; after the first rows, with its final name.
        reader: the name of this process.
        stored: how many rows are stored.
    """

    def __init__(self, db: Database, run: Run) -> None:
        self.run = run
        self.reader = process_token()
        self.stored = 0
        self._db = db
        # If its first rows have no time, a run has its creation time.
        self._times = [run.as_of] if run.as_of != run.created_at else []

    def add(self, batch: Sequence[Sample]) -> None:
        """Store the next rows; raises RunConflict if the run was deleted."""
        now = datetime.now(UTC)
        if not self.stored:
            self.run = intake.begin_rows(self._db, self.run, batch, reader=self.reader, now=now)
        else:
            first = self.stored + 1
            intake.add_rows(self._db, self.run.run_id, batch, first=first, reader=self.reader, now=now)
        self.stored += len(batch)
        self._times += filter(None, [newest_time(batch)])

    def end(self, *, rows_left_out: int, status: RunStatus = RunStatus.PENDING) -> Run:
        """Give the run its status and the time of its newest row, and return it."""
        run = replace(self.run, as_of=max(self._times, default=self.run.as_of), rows_left_out=rows_left_out)
        return intake.end_rows(self._db, run, status=status, reader=self.reader, now=datetime.now(UTC))


@contextmanager
def writing(db: Database, run: Run) -> Iterator[RowWriter]:
    """Let the caller store the rows of a new run; an error deletes the run.

    It replaces a run of the same file and judge whose reader was killed.
    """
    from faithview.store import retention

    for run_id, reader, alive_at in intake.list_half_read(db, run):
        if is_silent(alive_at, datetime.now(UTC)) or reader is None or is_gone(reader):
            with suppress(NotFound):  # another process deleted it at the same moment
                retention.delete_run(db, run_id, why="its file was not read to the end")
    writer = RowWriter(db, run)
    try:
        yield writer
    except BaseException:
        end_work(writer.reader)
        with suppress(Exception):  # the store may be the cause; the first error matters
            retention.delete_run(db, run.run_id, why="its file could not be read to the end")
        raise


def store_rows(db: Database, run: Run, samples: Iterable[Sample], *, report: ReadReport | None = None) -> Run:
    """Store a new run with its rows, ready to be judged, and return the stored run.

    Args:
        db: the store.
        run: the run.
        samples: its answers, with unique keys; they are read while they are stored.
        report: counts the rows that cannot be read, while they are read; None for the run's own count.
    """
    batches = batches_of(samples, size=text_size)
    first, second = next(batches, []), next(batches, None)
    if second is None:
        left_out = run.rows_left_out if report is None else report.problem_count
        return runs.create_run(db, replace(run, rows_left_out=left_out), first)
    with writing(db, run) as writer:
        writer.add(first)
        while second is not None:
            writer.add(second)
            second = next(batches, None)
        return writer.end(rows_left_out=run.rows_left_out if report is None else report.problem_count)
