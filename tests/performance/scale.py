"""What FaithView is held to with a million claims, on SQLite or PostgreSQL: one table. See README.md beside this.

python -m tests.performance.scale --engine sqlite --shape runs     40 runs of 2,500 answers
python -m tests.performance.scale --engine postgresql --shape one  one run of 100,000 answers
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time

from sqlalchemy import create_engine, func, select, text, update

from faithview.domain.answer import AnswerFilter
from faithview.domain.inbox import make_filter
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.services.review.inbox import list_groups
from faithview.store import summaries
from faithview.store.answers import list_answers
from faithview.store.database import Database, open_database
from faithview.store.schema.runs import ClaimRow, RunRow
from tests.performance import tables
from tests.performance.copies import copy_rows, copy_run
from tests.performance.stores import postgresql_url, store_run

_FIRST_RUN = "copy0"
_START = datetime(2026, 3, 2, 9, tzinfo=UTC)
_WORDS = ("Bergen", "harbour", "sold", "former", "Tartu", "tunnel", "March", "Oulu", "reservoir", "Perth")
_BYTES, _SEARCH_MS, _COMPARISON_S = 8_000, 300, 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the store where it is missing, measure, and print the table; exit with 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--engine", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--shape", choices=["runs", "one"], default="runs", help="40 runs, or one with all answers")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--answers", type=int, default=2_500, help="of each of the runs")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "faithview-performance")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    with _store(options) as url:
        rows = _Rows()
        _of_store(rows, url, options.runs * options.answers, options.repetitions, shape=options.shape)
    sys.stdout.write(f"{tables.machine()}; {options.repetitions} repetitions\n")
    what = f"{options.runs} runs of {options.answers:,} answers"
    what = f"one run of {options.runs * options.answers:,} answers" if options.shape == "one" else what
    tables.show(f"{what}, {options.engine}", ["what", "figure", "target", "met"], rows.lines)
    return int(any(line[-1] == "no" for line in rows.lines))


class _Rows:
    """The lines of the table."""

    def __init__(self) -> None:
        self.lines: list[list[str]] = []

    def add(self, what: str, figure: float, target: float | None, *, form: str = ",.0f") -> None:
        """Add a figure, which is met where it is below its target."""
        met = "" if target is None else "yes" if figure < target else "no"
        self.lines.append([what, f"{figure:{form}}", "" if target is None else f"{target:{form}}", met])
        sys.stderr.write(f"{what}: {figure:{form}}\n")


@contextmanager
def _store(options: argparse.Namespace) -> Iterator[str]:
    """Yield the URL of the store; one on SQLite is kept for the next time."""
    if options.engine == "postgresql":
        with postgresql_url() as url:
            _fill(url, options)
            yield url
        return
    path = options.folder / f"scale-{options.shape}-{options.runs}-{options.answers}.db"
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        for left_over in options.folder.glob(f"{unfinished.name}*"):
            left_over.unlink()
        _fill(f"sqlite:///{unfinished}", options)
        unfinished.rename(path)
    yield f"sqlite:///{path}"


def _fill(url: str, options: argparse.Namespace) -> None:
    db = open_database(url)
    store_run(db, run_id=_FIRST_RUN, name="Copy 0", rows=options.answers, at=_START)
    with db.write() as connection:
        for number in range(1, options.runs):
            if options.shape == "one":
                copy_rows(connection, number, run_id=_FIRST_RUN, rows=options.answers)
            else:
                copy_run(connection, number, run_id=_FIRST_RUN, copied_to=f"copy{number}", at=_START)
        if options.shape == "one":
            everything = options.runs * options.answers
            connection.execute(update(RunRow).where(RunRow.id == _FIRST_RUN).values(rows=everything))
    if options.shape == "one":
        summaries.keep_summary(db, get_run(Store(db), _FIRST_RUN))
    db.empty_log()
    db.close()
    if options.engine == "postgresql":  # what a server does by itself within minutes, and that of the tests does not
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text("VACUUM (ANALYZE)"))
        engine.dispose()


def _of_store(rows: _Rows, url: str, answers: int, repetitions: int, *, shape: str) -> None:
    db = open_database(url)
    services = Store(db)
    size = "page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    size = size if db.dialect_name == "sqlite" else "pg_database_size(current_database())"
    with db.read() as connection:
        used = connection.execute(text(f"SELECT {size}")).scalar_one()
        claims = connection.execute(select(func.count()).select_from(ClaimRow)).scalar_one()
    rows.add("claims", claims, None)
    # The target is that of SQLite's file; PostgreSQL's tables are larger by their rows' headers.
    rows.add("bytes of the store for each answer", used / answers, _BYTES if db.dialect_name == "sqlite" else None)
    found = [_ms(lambda: list_groups(services, make_filter(word, {}))) for word in _WORDS]  # noqa: B023 - called at once
    rows.add("search in all claims, first page and totals, ms", tables.median(found), _SEARCH_MS)
    run_id = _FIRST_RUN
    found = [_ms(lambda: list_answers(services.db, run_id, AnswerFilter(search=word))) for word in _WORDS]  # noqa: B023 - too
    rows.add("search in a run's answers, ms", tables.median(found), _SEARCH_MS)
    if shape == "runs":
        _of_comparison(rows, db, repetitions)
    db.close()


def _of_comparison(rows: _Rows, db: Database, repetitions: int) -> None:
    """Compare two runs that were not compared before, as often as wanted: each time another one."""
    clock, processor = [], []
    for number in range(1, repetitions + 1):
        begin, begin_processor = perf_counter(), process_time()
        compare_runs(Store(db), _FIRST_RUN, f"copy{number}")
        clock.append(perf_counter() - begin)
        processor.append(process_time() - begin_processor)
    rows.add("first comparison of two runs, s", tables.median(clock), _COMPARISON_S, form=".2f")
    rows.add("  of the processor, s", tables.median(processor), None, form=".2f")


def _ms(work: Callable[[], object]) -> float:
    work()  # what is slow once (a plan, a cold page) is not what a session waits for
    begin = perf_counter()
    work()
    return 1000 * (perf_counter() - begin)


if __name__ == "__main__":
    sys.exit(main())
