"""Stores of a known size, filled through the store's own functions."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.store import results, runs, summaries
from faithview.store.database import Database, open_database
from tests import postgres
from tests.performance.synthetic import Row, make_rows

RUN_ID = "large"
LARGE = 10_000
SMALL = 1_000

_FURTHER_RUNS = 4
_FURTHER_ROWS = 100
_BATCH = 50
_WORKER = "performance"
# Grows when what is built changes, so that a store kept from before is not taken for the new one.
_LAYOUT = 3


def cached_store(folder: Path, rows: int) -> str:
    """Return the URL of an SQLite store with one run of that many answers and a few small ones, built where missing."""
    path = folder / f"store-{rows}-v{_LAYOUT}.db"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        for left_over in folder.glob(f"{unfinished.name}*"):
            left_over.unlink()
        db = open_database(f"sqlite:///{unfinished}")
        fill(db, rows)
        db.close()
        unfinished.rename(path)
    return f"sqlite:///{path}"


def fill(db: Database, rows: int) -> None:
    """Store one judged run of that many answers, newest of all, and four runs of a hundred before it."""
    start = datetime(2026, 3, 2, 9, tzinfo=UTC)
    for number in range(_FURTHER_RUNS):
        at = start + timedelta(weeks=number)
        store_run(db, run_id=f"week{number}", name=f"Week {number + 1}", rows=_FURTHER_ROWS, at=at)
    store_run(db, run_id=RUN_ID, name=f"All {rows:,} answers", rows=rows, at=start + timedelta(weeks=_FURTHER_RUNS))


def store_run(db: Database, *, run_id: str, name: str, rows: int, at: datetime) -> tuple[float, float]:
    """Store one judged run; return the seconds that its samples and its results took to be written."""
    return store_rows(db, make_rows(rows, seed=rows), run_id=run_id, name=name, at=at)


def store_rows(db: Database, made: list[Row], *, run_id: str, name: str, at: datetime) -> tuple[float, float]:
    """Store judged rows as a run; return the seconds that the samples and the results took to be written."""
    rows = len(made)
    run = Run(
        run_id=run_id,
        name=name,
        status=RunStatus.PENDING,
        judge=JudgeSpec(),
        fingerprint="lexical-performance",
        created_at=at,
        as_of=at,
    )
    begin = perf_counter()
    runs.create_run(db, run, [row.sample for row in made])
    created = perf_counter()
    runs.take_run(db, run_id, worker=_WORKER, now=at)
    for first in range(0, rows, _BATCH):
        batch = [
            (position, row.sample, row.result)
            for position, row in enumerate(made[first : first + _BATCH], start=first + 1)
        ]
        results.save_results(db, run_id, batch, worker=_WORKER, now=at, seconds=0.1)
    runs.finish_run(db, run_id, worker=_WORKER, status=RunStatus.COMPLETE, now=at)
    saved = perf_counter()
    summaries.keep_summary(db, run)
    return created - begin, saved - created


@contextmanager
def sqlite_url() -> Iterator[str]:
    """Yield the URL of a store of its own, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="faithview-performance-") as folder:
        yield f"sqlite:///{Path(folder) / 'store.db'}"


@contextmanager
def postgresql_url() -> Iterator[str]:
    """Yield the same on a PostgreSQL server of its own."""
    with postgres.running_server() as server_url, postgres.fresh_database(server_url, "performance") as url:
        yield url
