"""Stores of a known size, filled through the store's own functions."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.store import results, runs, summaries
from faithview.store.database import Database
from tests import postgres
from tests.performance.synthetic import make_rows

_BATCH = 50
_WORKER = "performance"


def store_run(db: Database, *, run_id: str, name: str, rows: int, at: datetime) -> None:
    """Store one judged run of so many answers."""
    made = make_rows(rows, seed=rows)
    run = Run(
        run_id=run_id,
        name=name,
        status=RunStatus.PENDING,
        judge=JudgeSpec(),
        fingerprint="lexical-performance",
        created_at=at,
        as_of=at,
    )
    runs.create_run(db, run, [row.sample for row in made])
    runs.take_run(db, run_id, worker=_WORKER, now=at)
    for first in range(0, rows, _BATCH):
        batch = [
            (position, row.sample, row.result)
            for position, row in enumerate(made[first : first + _BATCH], start=first + 1)
        ]
        results.save_results(db, run_id, batch, worker=_WORKER, now=at, seconds=0.1)
    runs.finish_run(db, run_id, worker=_WORKER, status=RunStatus.COMPLETE, now=at)
    summaries.keep_summary(db, run)


@contextmanager
def postgresql_url() -> Iterator[str]:
    """Yield the URL of a database on a PostgreSQL server of its own."""
    with postgres.running_server() as server_url, postgres.fresh_database(server_url, "performance") as url:
        yield url
