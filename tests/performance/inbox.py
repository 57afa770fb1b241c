"""How quickly the inbox lists, counts and indexes a million claims, on SQLite and PostgreSQL: see README.md.

One run of 9,500 answers is stored through the store's own functions. It is copied nine times in SQL, with other words
in every second claim, and the index of the inbox is then filled as it is for a store that is older than the inbox.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from time import perf_counter

from sqlalchemy import create_engine, func, select, text

from faithview.domain.claim import Verdict
from faithview.domain.inbox import NONE, Facet, InboxFilter, make_filter
from faithview.services.container import Store
from faithview.services.review.inbox import CHECK_THIS, count_facets, label_groups, list_groups, retract_together
from faithview.services.review.labels import LabelProvenance
from faithview.store.database import Database, open_database
from faithview.store.retention import delete_run
from faithview.store.schema.runs import ClaimRow, ClaimTextRow
from tests.performance import tables
from tests.performance.copies import copy_run
from tests.performance.stores import postgresql_url, sqlite_url, store_run

_ENGINES = {"sqlite": sqlite_url, "postgresql": postgresql_url}
_COPIES = 9
_FIRST_RUN = "copy0"
_START = datetime(2026, 3, 30, 9, tzinfo=UTC)
_WHO = LabelProvenance(reviewer="performance")
_LIST_LIMIT_MS, _FACETS_LIMIT_MS = 300, 1_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill a store on each engine, ask it, and print the tables; exit with 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=9_500, help="answers of each of the ten runs")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--engine", choices=[*_ENGINES], action="append", help="both without it")
    parser.add_argument("--store", help="URL of a store that `--into` filled: it is asked and left as it is")
    parser.add_argument("--into", help="URL of an empty store to fill and leave there")
    options = parser.parse_args(arguments)
    if options.into:
        db = open_database(options.into)
        _show_written(db, options.into, options.rows)
        db.close()
        return 0
    if options.store:
        db = open_database(options.store)
        slow = _show_asked(Store(db), options.repetitions)
        db.close()
        return int(slow)
    slow = False
    for engine in options.engine or _ENGINES:
        with ExitStack() as stack:
            url = stack.enter_context(_ENGINES[engine]())
            db = open_database(url)
            stack.callback(db.close)
            _show_written(db, url, options.rows)
            services = Store(db)
            slow |= _show_asked(services, options.repetitions)
            tables.show(f"Changing, {engine}, in ms; {tables.machine()}", ["what", "ms"], _change(services))
    return int(slow)


def _show_written(db: Database, url: str, rows: int) -> None:
    written = _fill(db, url, rows)
    tables.show(f"Writing, {db.dialect_name}; {tables.machine()}", ["what", "number", "seconds"], written)


def _show_asked(services: Store, repetitions: int) -> bool:
    """Print how long each filter takes; return whether a target is missed."""
    slow = False
    lines = []
    for name, filters in _FILTERS.items():
        total = list_groups(services, filters).total_claims
        listed = _median(lambda: list_groups(services, filters), repetitions)  # noqa: B023 - called at once
        counted = _median(lambda: count_facets(services, filters), repetitions)  # noqa: B023 - called at once
        is_first = filters == InboxFilter()
        slow |= listed > (_LIST_LIMIT_MS if is_first else _FACETS_LIMIT_MS) or counted > _FACETS_LIMIT_MS
        lines.append([name, f"{total:,}", f"{listed:.0f}", f"{counted:.0f}"])
    columns = ["filter", "claims listed", "first page and totals", "all facets"]
    title = f"Asking, {services.db.dialect_name}, median of {repetitions} in ms; {tables.machine()}"
    tables.show(title, columns, lines)
    return slow


_FILTERS = {
    "nothing chosen": InboxFilter(),
    "one verdict": make_filter("", {Facet.VERDICT: [Verdict.CONTRADICTED]}),
    "every verdict": make_filter("", {Facet.VERDICT: [*Verdict]}),
    "claims to check": CHECK_THIS,
    "one run": make_filter("", {Facet.RUN: [_FIRST_RUN]}),
    "two segments": make_filter("", {Facet.SEGMENT: ["billing", "legal"]}),
    "one document": make_filter("", {Facet.DOCUMENT: ["article-7.md"]}),
    "no document": make_filter("", {Facet.DOCUMENT: [NONE]}),
    "a word": make_filter("bergen", {}),
    "a common word": make_filter("the", {}),
    "three words in any order": make_filter("bergen harbour delay", {}),
    "a phrase": make_filter('"northern harbour"', {}),
    "a word, a verdict and a segment": make_filter(
        "ferry", {Facet.VERDICT: [Verdict.CONTRADICTED], Facet.SEGMENT: ["billing"]}
    ),
    "a word that is nowhere": make_filter("nowheretobefound", {}),
}


def _fill(db: Database, url: str, rows: int) -> list[list[str]]:
    created, saved = store_run(db, run_id=_FIRST_RUN, name="Copy 0", rows=rows, at=_START)
    begin = perf_counter()
    with db.write() as connection:
        for number in range(1, _COPIES + 1):
            copy_run(connection, number, run_id=_FIRST_RUN, copied_to=f"copy{number}", at=_START)
        claims, texts = (
            connection.execute(select(func.count()).select_from(row)).scalar_one() for row in (ClaimRow, ClaimTextRow)
        )
    copied = perf_counter()
    if db.dialect_name == "postgresql":  # what a server does by itself within minutes, and that of the tests does not
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text("VACUUM (ANALYZE)"))
        engine.dispose()
    return [
        ["answers with their claims, through the store", f"{rows:,}", f"{created + saved:.1f}"],
        ["claims, copied in SQL", f"{claims:,}", f"{copied - begin:.1f}"],
        ["different claims among them", f"{texts:,}", ""],
    ]


def _change(services: Store) -> list[list[str]]:
    filters = InboxFilter()
    groups = [group.group_id for group in list_groups(services, filters).groups]
    begin = perf_counter()
    given = label_groups(services, groups, filters, Verdict.SUPPORTED, _WHO)
    labelled = perf_counter()
    retract_together(services, given, _WHO)
    undone = perf_counter()
    delete_run(services.db, _FIRST_RUN)
    deleted = perf_counter()
    return [
        [f"label {len(given.given)} claims in {len(groups)} groups", f"{1000 * (labelled - begin):.0f}"],
        ["take these labels back", f"{1000 * (undone - labelled):.0f}"],
        ["delete one of the ten runs", f"{1000 * (deleted - undone):.0f}"],
    ]


def _median(ask: Callable[[], object], repetitions: int) -> float:
    ask()  # what is slow once (a plan, a cold page) is not what a session waits for
    found = []
    for _ in range(repetitions):
        begin = perf_counter()
        ask()
        found.append(1000 * (perf_counter() - begin))
    return tables.median(found)


if __name__ == "__main__":
    sys.exit(main())
