"""How quickly the store writes and answers with 10,000 answers, on SQLite and PostgreSQL. See README.md beside this."""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from time import perf_counter

from faithview.domain.answer import AnswerFilter, Order
from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.result import State
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary, list_summaries
from faithview.store import summaries
from faithview.store.answers import list_answers, list_segments
from faithview.store.database import open_database
from faithview.store.results import get_answer
from tests.performance import tables
from tests.performance.stores import LARGE, RUN_ID, postgresql_url, sqlite_url, store_run

_ENGINES = ("sqlite", "postgresql")


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill a store on each engine, ask it, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=LARGE)
    parser.add_argument("--repetitions", type=int, default=9)
    options = parser.parse_args(arguments)
    written, asked = [], {}
    with ExitStack() as stack:
        for engine in _ENGINES:
            db = open_database(stack.enter_context(_ENGINES_AT[engine]()))
            stack.callback(db.close)
            start = datetime(2026, 3, 30, 9, tzinfo=UTC)
            created, saved = store_run(db, run_id=RUN_ID, name="All", rows=options.rows, at=start)
            services = Store(db)
            claims = sum(get_summary(services, RUN_ID).claims.values())
            written.append(
                [engine, "samples with chunks", f"{options.rows:,}", f"{created:.1f}", f"{options.rows / created:,.0f}"]
            )
            written.append([engine, "results", f"{options.rows:,}", f"{saved:.1f}", f"{options.rows / saved:,.0f}"])
            written.append([engine, "claims, with them", f"{claims:,}", f"{saved:.1f}", f"{claims / saved:,.0f}"])
            asked[engine] = {
                question: _times(ask, options.repetitions) for question, ask in _questions(services, options.rows)
            }
    sys.stdout.write(f"{tables.machine()}; {options.repetitions} repetitions\n")
    tables.show("Writing, in transactions of 50 results", ["engine", "what", "number", "seconds", "a second"], written)
    lines = [
        [
            question,
            *(
                f"{1000 * figure:.1f}"
                for engine in _ENGINES
                for figure in (tables.median(asked[engine][question]), tables.quantile(asked[engine][question], 0.9))
            ),
        ]
        for question in asked[_ENGINES[0]]
    ]
    columns = ["question", "SQLite median", "p90", "PostgreSQL median", "p90"]
    tables.show(f"Asking, with {options.rows:,} answers, in ms", columns, lines)
    return 0


def _questions(services: Store, rows: int) -> list[tuple[str, Callable[[], object]]]:
    run = get_run(services, RUN_ID)

    def listed(filters: AnswerFilter, *, order: Order = Order.WORST, offset: int = 0) -> Callable[[], object]:
        return lambda: list_answers(services.db, RUN_ID, filters, order=order, offset=offset)

    plain, middle, last = AnswerFilter(), f"row-{rows // 2:05d}", rows - 50
    return [
        ("list, worst first", listed(plain)),
        ("list, its last page", listed(plain, offset=last)),
        ("list, best first", listed(plain, order=Order.BEST)),
        ("list, in file order", listed(plain, order=Order.FILE)),
        ("list of a state", listed(AnswerFilter(states=(State.ABSTAINED,)))),
        ("list with a verdict", listed(AnswerFilter(verdicts=(Verdict.CONTRADICTED,)))),
        ("list with a type", listed(AnswerFilter(hallucination_types=(HallucinationType.CONFLATION,)))),
        ("list of a segment", listed(AnswerFilter(segments=("billing",)))),
        ("list that holds a word", listed(AnswerFilter(search="bergen"))),
        ("list that holds an accented word", listed(AnswerFilter(search="tromsø"))),
        ("list that holds what is nowhere", listed(AnswerFilter(search="nowhere to be found"))),
        ("list, the page with an answer", lambda: list_answers(services.db, RUN_ID, plain, around=middle)),
        ("one answer with claims and chunks", lambda: get_answer(services.db, RUN_ID, middle)),
        ("segments", lambda: list_segments(services.db, RUN_ID)),
        ("summary, as kept", lambda: get_summary(services, RUN_ID)),
        ("summary, computed", lambda: summaries.keep_summary(services.db, run)),
        ("runs with their figures", lambda: list_summaries(services)),
    ]


def _times(ask: Callable[[], object], repetitions: int) -> list[float]:
    ask()  # what is slow once (a plan, a cold page) is not what a session waits for
    found = []
    for _ in range(repetitions):
        begin = perf_counter()
        ask()
        found.append(perf_counter() - begin)
    return found


_ENGINES_AT = {"sqlite": sqlite_url, "postgresql": postgresql_url}

if __name__ == "__main__":
    sys.exit(main())
