"""How quickly trends over 200 runs are there, on SQLite and PostgreSQL. See README.md beside this."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import perf_counter

from faithview.domain.buckets import Step
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.domain.trend import Grouping
from faithview.services.container import Store
from faithview.services.events import list_events
from faithview.services.level_changes import summarise_trend
from faithview.services.trends import TrendQuery, describe_line, list_worst, load_trend
from faithview.store import results, runs, summaries
from faithview.store.database import Database, open_database
from tests.performance import tables
from tests.performance.stores import postgresql_url, sqlite_url
from tests.performance.synthetic import make_rows

_WORKER = "performance"
_TARGET_S = 1.0
_START = datetime(2022, 1, 3, 9, tzinfo=UTC)
_ZONE = "Europe/Berlin"


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill a store on each engine, ask it as the page does, print the table; 1 if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rows", type=int, default=120)
    parser.add_argument("--repetitions", type=int, default=7)
    options = parser.parse_args(arguments)
    asked: dict[str, Mapping[str, tuple[float, list[float]]]] = {}
    with ExitStack() as stack:
        for engine, opened in _ENGINES_AT.items():
            db = open_database(stack.enter_context(opened()))
            stack.callback(db.close)
            _fill(db, options.runs, options.rows)
            asked[engine] = {name: _times(db, ask, options.repetitions) for name, ask in _QUESTIONS.items()}
    size = f"{options.runs} runs of {options.rows} answers in eight segments, one a week"
    sys.stdout.write(f"{tables.machine()}; {options.repetitions} repetitions\n")
    lines = [
        [
            name,
            *(
                f"{1000 * figure:.0f}"
                for engine in asked
                for figure in (asked[engine][name][0], tables.median(asked[engine][name][1]))
            ),
        ]
        for name in _QUESTIONS
    ]
    columns = ["question", "SQLite first", "again", "PostgreSQL first", "again"]
    tables.show(f"Trends over {size}, in ms", columns, lines)
    worst = max(first for engine in asked.values() for name, (first, _) in engine.items() if name == _PAGE)
    sys.stdout.write(f"\n{_PAGE}: {worst:.2f} s the first time; target below {_TARGET_S:.0f} s\n")
    return int(worst >= _TARGET_S)


def _whole_page(services: Store) -> None:
    whole = load_trend(services, TrendQuery())
    by_segment = load_trend(services, TrendQuery(grouping=Grouping.SEGMENT))
    events = list_events(services)
    finding = summarise_trend(services, whole, by_segment, events)
    if finding.line is not None:
        describe_line(services, finding.line)


def _dated(step: Step, grouping: Grouping) -> Callable[[Store], object]:
    return lambda services: load_trend(services, TrendQuery(step=step, grouping=grouping, zone=_ZONE))


def _worst(services: Store) -> None:
    list_worst(services, load_trend(services, TrendQuery()).lines[0].points)


_PAGE = "by run: lines, segments, events, finding, limits and changes"
_QUESTIONS: Mapping[str, Callable[[Store], object]] = {
    "by run": lambda services: load_trend(services, TrendQuery()),
    "by run and segment": lambda services: load_trend(services, TrendQuery(grouping=Grouping.SEGMENT)),
    _PAGE: _whole_page,
    "by week of the rows": _dated(Step.WEEK, Grouping.ALL),
    "by week of the rows and segment": _dated(Step.WEEK, Grouping.SEGMENT),
    "by day of the rows": _dated(Step.DAY, Grouping.ALL),
    "the worst answers of all runs": _worst,
}


def _times(db: Database, ask: Callable[[Store], object], repetitions: int) -> tuple[float, list[float]]:
    """Return how long the first call takes, with nothing kept, and the calls after it."""
    services = Store(db)
    found = []
    for _ in range(repetitions + 1):
        begin = perf_counter()
        ask(services)
        found.append(perf_counter() - begin)
    return found[0], found[1:]


def _fill(db: Database, number: int, rows: int) -> None:
    """Store weekly runs; the rows of each were answered over the week before it."""
    made = make_rows(rows, seed=rows)
    for week in range(number):
        at = _START + timedelta(weeks=week)
        samples = [
            replace(row.sample, timestamp=at - timedelta(hours=(17 * place) % 168), chunks=row.sample.chunks[:1])
            for place, row in enumerate(made)
        ]
        run = Run(
            run_id=f"w{week}",
            name=f"Week {week}",
            status=RunStatus.PENDING,
            judge=JudgeSpec(),
            fingerprint="lexical-performance",
            kb_version=f"v{week // 13}",
            created_at=at,
            as_of=at,
        )
        runs.create_run(db, run, samples)
        runs.take_run(db, run.run_id, worker=_WORKER, now=at)
        # Three claims an answer, others each week: trends read none of them, and a store takes long to fill.
        judged = [
            (place + 1, samples[place], replace(made[place].result, claims=made[place].result.claims[week % 5 :][:3]))
            for place in range(rows)
        ]
        outcomes = [(place, sample, _without_evidence(result)) for place, sample, result in judged]
        results.save_results(db, run.run_id, outcomes, worker=_WORKER, now=at, seconds=0.1)
        runs.finish_run(db, run.run_id, worker=_WORKER, status=RunStatus.COMPLETE, now=at)
        summaries.keep_summary(db, run)


def _without_evidence(result: Result) -> Result:
    """Return the result without what would be stored row by row and is not read."""
    claims = tuple(replace(claim, evidence=(), supporting_chunk_ids=(), spans=()) for claim in result.claims)
    return replace(result, claims=claims)


_ENGINES_AT = {"SQLite": sqlite_url, "PostgreSQL": postgresql_url}

if __name__ == "__main__":
    sys.exit(main())
