"""A run's rows, stored while its file is read, so that memory does not grow with the file.

Rows that fit one batch are stored in one transaction, all or none. Of more rows the first batch begins the run and
marks it (`store/intake_marks.py`), and the mark goes with the last one. Who is stopped in between leaves a run
that says which rows are missing, and that `create.read_on` continues where the file can be opened again.

Processes that judge a run or read its file have names, so that others can tell whether one of them is gone.

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

# The names of work that this process has done or given up. A store that fails cannot be told that a run is free again,
# and the process goes on: a watch, a notebook.
_ended: set[str] = set()


def process_token() -> str:
    """Return a name for this process and this piece of work that no other has."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def end_work(token: str) -> None:
    """Note that this process works on the piece of work of that name no more."""
    _ended.add(token)


def is_gone(token: str) -> bool:
    """Return whether the work of that name has ended on this machine; False where nobody here can tell."""
    if token in _ended:
        return True
    host, _, rest = token.partition(":")
    return host == socket.gethostname() and not _is_running(int(rest.partition(":")[0]))


def release_if_dead(db: Database, run_id: str) -> None:
    """Release the run if its worker on this machine is gone, so that nobody has to wait for the lease."""
    worker = runs.find_worker(db, run_id)
    if worker is not None and is_gone(worker):
        runs.release_dead_worker(db, run_id, worker=worker)


def is_read_on(intake: Intake) -> bool:
    """Return whether somebody is still reading the file of the run with this mark."""
    return intake.is_read_on(datetime.now(UTC)) and not is_gone(intake.reader)


def check_read_on(intake: Intake) -> None:
    """Raise UnreadableFile if nobody reads the file of the run with this mark any more."""
    if not is_read_on(intake):
        raise UnreadableFile(intake.words)


def _is_running(pid: int) -> bool:
    if os.name == "nt":  # signal 0 would end the process there; the lease decides instead
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


# A batch ends with this many rows, or with this much text: rows of a megabyte each must not add up either.
_MOST_ROWS = 500
_MOST_CHARACTERS = 1_000_000

OnStored: TypeAlias = Callable[[int], None]
_Row = TypeVar("_Row")
_log = logging.getLogger(__name__)


def text_size(sample: Sample) -> int:
    """Return how many characters an answer and its chunks have."""
    return len(sample.answer) + sum(len(chunk.text) for chunk in sample.chunks)


def batches_of(items: Iterable[_Row], *, size: Callable[[_Row], int]) -> Iterator[list[_Row]]:
    """Yield rows, of which `size` says how many characters they have, in batches small enough to be held at once."""
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
    """Stores the rows of one run: `begin` with the first batch, `add` for each other one, `end` after the last.

    Attributes:
        db: the store.
        reader: this process.
        has_results: whether results are stored after the rows that they belong to; then who stores them says in `done`
            which rows are complete.
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

    def begin(
        self, run: Run, batch: Sequence[Sample], *, origin: Mapping[str, Any] | None, dataset: str | None = None
    ) -> Run:
        """Store a new run with its first rows and its mark, and return it as it is stored.

        `dataset` is the data set that was named for it.
        """
        self._count(batch)
        return stored_intake.begin_rows(
            self.db,
            run,
            batch,
            reader=self.reader,
            origin=origin,
            dataset=dataset,
            done=self.done,
            now=datetime.now(UTC),
        )

    def add(self, run: Run, batch: Sequence[Sample]) -> None:
        """Store further rows; raises NotFound if the run was deleted meanwhile."""
        before, now = self.stored, datetime.now(UTC)
        self._count(batch)
        stored_intake.add_rows(
            self.db, run.run_id, batch, first=before + 1, reader=self.reader, done=self.done, now=now
        )

    def take(self, intake: Intake) -> None:
        """Go on where the reader with this mark stopped; raises RunConflict if another one does."""
        intake_marks.take_intake(self.db, intake, reader=self.reader, now=datetime.now(UTC))
        self.stored = stored_intake.count_rows(self.db, intake.run_id)
        self.done = intake.done

    def end(self, run: Run, *, rows_left_out: int) -> Run:
        """Remove the mark, and return the run with the time of its newest row and with its data set."""
        return stored_intake.end_rows(self.db, self.whole(run, rows_left_out=rows_left_out))

    def whole(self, run: Run, *, rows_left_out: int) -> Run:
        """Return the run with the time of its newest row, once all are stored."""
        # Without a time in its first rows, a run has that of its making.
        times = [run.as_of] if run.as_of != run.created_at else []
        newest = max([*times, *([self.newest] if self.newest else [])], default=run.as_of)
        return replace(run, as_of=newest, rows_left_out=rows_left_out)

    def stop(self, run: Run, error: BaseException) -> None:
        """Write into the mark why reading stopped."""
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
    """The rows of a run after its first ones: they are read and stored by `store`, which may run in a thread.

    `rows_left_out` says at the end how many rows could not be read.
    """

    run: Run
    writer: RowWriter
    batches: Iterator[list[Sample]]
    rows_left_out: Callable[[], int]

    def store(self, on_stored: OnStored | None = None) -> Run:
        """Store the rows and return the run; what ends this early is written into the run's mark.

        `on_stored` is called with the number of rows that are stored so far.
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
        """Store the rows in a thread and return at once; the run's mark says how that goes on and what ends it."""
        Thread(target=self._store_and_note, name=f"rows of {self.run.run_id}", daemon=True).start()

    def _store_and_note(self) -> None:
        try:
            self.store()
        except FaithViewError as error:  # it is in the mark, which the run's worker and pages show
            _log.warning("The file of run %s was not read to its end: %s", self.run.run_id, type(error).__name__)


def begin_run(
    store: Store,
    run: Run,
    samples: Iterable[Sample],
    *,
    origin: Mapping[str, Any] | None = None,
    dataset: str | None = None,
    rows_left_out: Callable[[], int] | None = None,
) -> tuple[Run, RowsToStore | None]:
    """Store a new run with its first rows; return it with the rows that are left, None if these are all.

    Args:
        store: the store.
        run: the run.
        samples: its answers, with keys that are unique; they are read as they are stored.
        origin: how another process opens the file again.
        dataset: the data set that was named for the run; None works it out once all rows are stored.
        rows_left_out: how many rows could not be read, asked for once all are read; None is what the run says.
    """
    found = batches_of(samples, size=text_size)
    first = next(found, [])
    second = next(found, None)
    if second is None:
        return runs.create_run(store.db, run, first, dataset=dataset), None
    writer = RowWriter(db=store.db)
    run = writer.begin(run, first, origin=origin, dataset=dataset)
    rest = _chained(second, found)
    return run, RowsToStore(
        run=run, writer=writer, batches=rest, rows_left_out=rows_left_out or (lambda: run.rows_left_out)
    )


def _chained(first: list[Sample], rest: Iterator[list[Sample]]) -> Iterator[list[Sample]]:
    yield first
    yield from rest
