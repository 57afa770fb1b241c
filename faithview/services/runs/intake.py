"""Store a run's rows while its file is read, so memory does not grow with the file.

Rows that fit one batch are stored in one transaction, all or none. With more rows, the first batch creates the run with
a mark (`store/intake_marks.py`), and the last batch removes the mark. If reading stops in between, the run says which
rows are missing, and `create.read_on` continues it if the file can be opened again.

Processes that judge a run or read its file have names, so other processes can tell whether they have ended.

"""

import logging
import os
import secrets
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from threading import Thread
from typing import Any, TypeAlias, TypeVar

from faithview.domain.buckets import is_plausible
from faithview.domain.errors import FaithViewError, UnreadableFile
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.services.container import Store
from faithview.store import intake as stored_intake
from faithview.store import intake_marks, runs
from faithview.store.database import Database
from faithview.store.intake_marks import Intake

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
    if token in _ended:
        return True
    host, _, rest = token.partition(":")
    return host == socket.gethostname() and not _is_running(int(rest.partition(":")[0]))


def release_if_dead(db: Database, run_id: str) -> None:
    """Release the run if its worker on this machine has ended, so other processes need not wait for the lease."""
    worker = runs.find_worker(db, run_id)
    if worker is not None and is_gone(worker):
        runs.release_dead_worker(db, run_id, worker=worker)


def is_read_on(intake: Intake) -> bool:
    """Return whether a process is still reading the file of the run with this mark."""
    return intake.is_read_on(datetime.now(UTC)) and not is_gone(intake.reader)


def check_read_on(intake: Intake) -> None:
    """Raise UnreadableFile if no process reads the file of the run with this mark any more."""
    if not is_read_on(intake):
        raise UnreadableFile(intake.words)


def _is_running(pid: int) -> bool:
    if os.name == "nt":  # on Windows signal 0 would end the process; the lease decides instead
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


# A batch ends with this many rows, or with this much text, because rows may have a megabyte each.
_MOST_ROWS = 500
_MOST_CHARACTERS = 1_000_000

OnStored: TypeAlias = Callable[[int], None]
_Row = TypeVar("_Row")
_log = logging.getLogger(__name__)


def text_size(sample: Sample) -> int:
    """Return how many characters an answer and its chunks have."""
    return len(sample.answer) + sum(len(chunk.text) for chunk in sample.chunks)


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


@dataclass(slots=True, kw_only=True)
class RowWriter:
    """Stores the rows of one run: `begin` with the first batch, `add` for each further one, `end` after the last.

    Attributes:
        db: the store.
        reader: this process.
        has_results: whether results are stored separately, after their rows; the caller then counts complete rows in
            `done`.
        stored: how many rows are stored.
        done: how many of them are complete.
        newest: the latest plausible time of the rows so far.
    """

    db: Database
    reader: str = field(default_factory=process_token)
    has_results: bool = False
    stored: int = 0
    done: int = 0
    newest: datetime | None = None

    def begin(self, run: Run, batch: Sequence[Sample], *, origin: Mapping[str, Any] | None) -> Run:
        """Store a new run with its first rows and its mark, and return the stored run."""
        self._count(batch)
        return stored_intake.begin_rows(
            self.db,
            run,
            batch,
            reader=self.reader,
            origin=origin,
            done=self.done,
            now=datetime.now(UTC),
        )

    def add(self, run: Run, batch: Sequence[Sample]) -> None:
        """Store further rows; raises NotFound if the run was deleted."""
        before, now = self.stored, datetime.now(UTC)
        self._count(batch)
        stored_intake.add_rows(
            self.db, run.run_id, batch, first=before + 1, reader=self.reader, done=self.done, now=now
        )

    def take(self, intake: Intake) -> None:
        """Continue where the reader with this mark stopped; raises RunConflict if another process does."""
        intake_marks.take_intake(self.db, intake, reader=self.reader, now=datetime.now(UTC))
        self.stored = stored_intake.count_rows(self.db, intake.run_id)
        self.done = intake.done

    def end(self, run: Run, *, rows_left_out: int) -> Run:
        """Remove the mark, and return the run with the time of its newest row."""
        return stored_intake.end_rows(self.db, self.whole(run, rows_left_out=rows_left_out))

    def whole(self, run: Run, *, rows_left_out: int) -> Run:
        """Return the run with the time of its newest row, once all are stored."""
        # If its first rows have no time, a run has its creation time.
        times = [run.as_of] if run.as_of != run.created_at else []
        newest = max([*times, *([self.newest] if self.newest else [])], default=run.as_of)
        return replace(run, as_of=newest, rows_left_out=rows_left_out)

    def stop(self, run: Run, error: BaseException) -> None:
        """Record in the mark why reading stopped."""
        end_work(self.reader)
        text = str(error) if isinstance(error, FaithViewError) else type(error).__name__
        text = "" if isinstance(error, KeyboardInterrupt) else text
        intake_marks.stop_intake(self.db, run.run_id, error=text or "Reading was stopped.")

    def _count(self, batch: Sequence[Sample]) -> None:
        self.stored += len(batch)
        if not self.has_results:
            self.done = self.stored
        times = [s.timestamp for s in batch if s.timestamp is not None and is_plausible(s.timestamp)]
        self.newest = max([*times, *([self.newest] if self.newest else [])], default=None)


@dataclass(slots=True, kw_only=True)
class RowsToStore:
    """The rows of a run after the first ones: `store` reads and stores them, possibly in a thread.

    `rows_left_out` says at the end how many rows could not be read.
    """

    run: Run
    writer: RowWriter
    batches: Iterator[list[Sample]]
    rows_left_out: Callable[[], int]

    def store(self, on_stored: OnStored | None = None) -> Run:
        """Store the rows and return the run; an error that stops it is recorded in the run's mark.

        `on_stored` is called with the number of rows stored so far.
        """
        try:
            for batch in self.batches:
                self.writer.add(self.run, batch)
                if on_stored is not None:
                    on_stored(self.writer.stored)
        except BaseException as error:
            self.writer.stop(self.run, error)
            raise
        return self.writer.end(self.run, rows_left_out=self.rows_left_out())

    def store_in_background(self) -> None:
        """Store the rows in a thread and return immediately; the run's mark has the progress and any error."""
        Thread(target=self._store_and_note, name=f"rows of {self.run.run_id}", daemon=True).start()

    def _store_and_note(self) -> None:
        try:
            self.store()
        except FaithViewError as error:  # recorded in the mark, which the run's worker and pages show
            _log.warning("The file of run %s was not read to its end: %s", self.run.run_id, type(error).__name__)


def begin_run(
    store: Store,
    run: Run,
    samples: Iterable[Sample],
    *,
    origin: Mapping[str, Any] | None = None,
    rows_left_out: Callable[[], int] | None = None,
) -> tuple[Run, RowsToStore | None]:
    """Store a new run with its first rows; return it with the remaining rows, None if there are none.

    Args:
        store: the store.
        run: the run.
        samples: its answers, with unique keys; they are read while they are stored.
        origin: how another process opens the file again.
        rows_left_out: returns how many rows could not be read, called once all are read; None for the run's own count.
    """
    found = batches_of(samples, size=text_size)
    first = next(found, [])
    second = next(found, None)
    if second is None:
        return runs.create_run(store.db, run, first), None
    writer = RowWriter(db=store.db)
    run = writer.begin(run, first, origin=origin)
    rest = _chained(second, found)
    return run, RowsToStore(
        run=run, writer=writer, batches=rest, rows_left_out=rows_left_out or (lambda: run.rows_left_out)
    )


def _chained(first: list[Sample], rest: Iterator[list[Sample]]) -> Iterator[list[Sample]]:
    yield first
    yield from rest
