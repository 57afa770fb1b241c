"""What is worked out of all rows of a run holds few of them at a time, and comes to the same."""

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from faithview import Sample, Verdict
from faithview.domain.content_hashes import row_hash, rows_hash
from faithview.services.comparison.judge_noise import repeat_noise
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.store import runs
from faithview.store.database import Database, open_database
from faithview.store.results import save_results
from faithview.store.samples import list_pending
from tests.factories import NOW, WORKER, make_result, make_run, store_run

_ROWS = 3_000


def _peak(work: Callable[[], object]) -> int:
    """Return the bytes of Python's own objects that the work needs at most, beside what its first call keeps."""
    work()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_the_hash_of_a_run_is_that_of_its_rows_in_any_order_with_references_and_without(db: Database) -> None:
    samples = [Sample.of(f"Answer {number}.", ["Text."], key=str(number)) for number in range(9)]
    samples = [replace(s, reference=f"Is {s.key}.") if int(s.key) % 3 == 0 else s for s in samples]
    run = runs.create_run(db, make_run(), samples)
    rows = [row_hash(sample.sample_hash, sample.reference) for sample in reversed(samples)]
    assert run.rows_hash == runs.get_run(db, "r1", now=NOW).rows_hash == rows_hash(rows)


def test_the_noise_of_a_large_run_needs_no_memory_for_each_row(db: Database) -> None:
    samples = [Sample.of(f"Answer {number}.", ["Text."], key=str(number)) for number in range(_ROWS)]
    store_run(db, samples, [make_result(Verdict.SUPPORTED)] * _ROWS, run=make_run())
    services = Store(db)
    run = get_run(services, "r1")
    # An answer as a comparison reads it takes over 1,000 bytes.
    assert _peak(lambda: repeat_noise(services, run)) < _ROWS * 100


def _steps(db: Database, work: Callable[[], object]) -> int:
    """Return how many hundreds of instructions SQLite's machine takes for the work."""
    with db.read() as connection:
        raw = connection.connection.dbapi_connection
    assert raw is not None
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    raw.set_progress_handler(step, 100)
    work()
    raw.set_progress_handler(None, 100)
    return count


def test_the_next_rows_and_storing_results_take_no_longer_where_more_rows_are_left(tmp_path: Path) -> None:
    db = open_database(f"sqlite:///{tmp_path / 'store.db'}")
    samples = [Sample.of(f"Answer {number}.", [], key=str(number)) for number in range(1, _ROWS + 1)]
    result = make_result(Verdict.SUPPORTED)
    steps = {}
    for rows in (300, _ROWS):
        run_id = f"r{rows}"
        runs.create_run(db, make_run(run_id), samples[:rows])
        runs.take_run(db, run_id, worker=WORKER, now=NOW)
        batch = [(position, samples[position - 1], result) for position in range(11, 61)]
        steps[rows] = (
            _steps(db, lambda: list_pending(db, run_id, after=10, limit=50)),  # noqa: B023 - called at once
            _steps(db, lambda: save_results(db, run_id, batch, worker=WORKER, now=NOW, seconds=0.1)),  # noqa: B023 - too
        )
    db.close()
    for few, many in zip(steps[300], steps[_ROWS], strict=True):
        assert 0 < many < 2 * few
