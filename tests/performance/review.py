"""How quickly people can label with 100,000 claims and 20,000 labels in the store, and twenty of them at once.

See README.md beside this.
"""

import argparse
import random
import shutil
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

from sqlalchemy import update

from faithview.domain.answer import AnswerFilter, View
from faithview.domain.claim import Verdict
from faithview.services.container import RevisionCache, Store
from faithview.services.judge_quality import head_to_head, scorecards
from faithview.services.results import get_run, get_summary, list_summaries
from faithview.services.review import carry_over, corrected_score, queue
from faithview.services.review.spot_checks import Strata
from faithview.store import labels, spot_checks
from faithview.store.answers import list_answers
from faithview.store.schema.runs import RunRow
from tests.factories import draw_check, make_label, open_services
from tests.performance import tables
from tests.performance.stores import LARGE, RUN_ID, SMALL, cached_store, postgresql_url, sqlite_url, store_run

_LABELS = 20_000
_AT = datetime(2026, 4, 1, 9, tzinfo=UTC)
_REVIEWERS, _EACH = 20, 100
_OTHER = "another judge"
_MANY = 200


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill a store with labels, label some more, and print the tables; 1 if a label was lost or a lease broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=LARGE)
    parser.add_argument("--labels", type=int, default=_LABELS)
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--stores", type=Path, default=Path(tempfile.gettempdir()) / "faithview-performance")
    parser.add_argument("--only", choices=["speed", "reviewers"])
    options = parser.parse_args(arguments)
    sys.stdout.write(f"{tables.machine()}; {options.repetitions} repetitions\n")
    if options.only != "reviewers":
        _measure_speed(options.stores, options.rows, options.labels, options.repetitions)
    broken = 0
    if options.only != "speed":
        broken = _measure_reviewers()
    return 1 if broken else 0


def _measure_speed(stores: Path, rows: int, number: int, repetitions: int) -> None:
    source = Path(cached_store(stores, rows).removeprefix("sqlite:///"))
    with tempfile.TemporaryDirectory(prefix="faithview-review-") as folder:
        path = Path(folder) / "store.db"
        shutil.copyfile(source, path)
        with open_services(path) as services:
            filled = []
            begin = perf_counter()
            given = give_labels(services, number)
            filled.append(["labels, in transactions of 500", f"{given:,}", f"{perf_counter() - begin:.2f}"])
            begin = perf_counter()
            check = draw_check(services, RUN_ID, size=2_000, name="large", strata=Strata.SCORE)
            filled.append(["draw of 2,000 claims", "1", f"{perf_counter() - begin:.2f}"])
            tables.show("Filling", ["what", "number", "seconds"], filled)
            steps = [_step(services, check) for _ in range(300)]
            lines = [
                ["submit a label and get the next claim", *_figures(steps), "", ""],
                *_asked(services, _questions(services, check), repetitions),
            ]
            columns = ["what", "after a label", "p90", "again", "p90"]
            tables.show(f"With {given:,} labels, in ms", columns, lines)
            _measure_carrying(services, rows)
            _measure_many(services, repetitions)


def give_labels(services: Store, number: int) -> int:
    """Label claims all over the run as if by an import, by five people, and return how many."""
    source = random.Random(5)
    claims = sorted(labels.iterate_claims(services.db, RUN_ID))
    chosen = sorted(source.sample(claims, min(number, len(claims))))
    given = [
        (
            row,
            make_label(source.choice(list(Verdict)), claim, by=f"reviewer {source.randint(1, 5)}", at=_AT),
        )
        for row, claim in chosen
    ]
    labels.add_labels(services.db, RUN_ID, given)
    return len(given)


def _step(services: Store, check: int) -> float:
    claim = queue.next_claim(services, check, reviewer="ann")
    if claim is None:
        raise RuntimeError("The queue is empty; draw a larger spot-check.")
    begin = perf_counter()
    queue.label_and_advance(services, check, claim.item.position, "supported", reviewer="ann", seconds=3.0)
    queue.advance(services, check, claim.item.position, reviewer="ann")
    return perf_counter() - begin


def _questions(services: Store, check: int) -> list[tuple[str, Callable[[], object]]]:
    plain = AnswerFilter()
    found = [
        ("progress of the spot-check", lambda: spot_checks.get_queue_progress(services.db, check)),
        ("list, reviewed, worst first", lambda: list_answers(services.db, RUN_ID, plain, view=View.REVIEWED)),
        ("list, judge, worst first", lambda: list_answers(services.db, RUN_ID, plain)),
        ("summary, judge", lambda: get_summary(services, RUN_ID)),
        ("summary, reviewed", lambda: get_summary(services, RUN_ID, view=View.REVIEWED)),
        ("corrected score", lambda: corrected_score.correct_run(services, RUN_ID)),
        ("agreement", lambda: scorecards.measure_agreement(services, RUN_ID)),
        ("judge cards", lambda: scorecards.list_judge_cards(services)),
    ]
    return [(name, ask) for name, ask in found]


def _measure_carrying(services: Store, rows: int) -> None:
    store_run(services.db, run_id="again", name="Again", rows=rows, at=_AT + timedelta(weeks=1))
    lines = []
    for name in ("labels carried to the same run a week later", "the same, where they are there already"):
        begin = perf_counter()
        done = carry_over.carry_labels(services.db, "again")
        lines.append([name, f"{done.inherited:,}", f"{done.stale:,}", f"{perf_counter() - begin:.2f}"])
    tables.show("Carrying", ["what", "inherited", "stale", "seconds"], lines)


def _measure_many(services: Store, repetitions: int) -> None:
    """Measure what spans runs: two judges on the same 10,000 answers, and the corrected scores of 200 runs."""
    with services.db.write() as connection:
        connection.execute(update(RunRow).where(RunRow.id == "again").values(fingerprint=_OTHER))
    ids = [RUN_ID, "again", *(f"few{number}" for number in range(_MANY - 2))]
    for run_id in ids[2:]:
        store_run(services.db, run_id=run_id, name=run_id, rows=1, at=_AT)
    first = get_run(services, RUN_ID).fingerprint
    questions: list[tuple[str, Callable[[], object]]] = [
        ("two judges side by side", lambda: head_to_head.compare_judges(services, first, _OTHER)),
        (f"corrected scores of {_MANY} runs", lambda: corrected_score.correct_runs(services, ids)),
        (f"summaries of {_MANY} runs, reviewed", lambda: list_summaries(services, view=View.REVIEWED)),
    ]
    columns = ["what", "after a label", "p90", "again", "p90"]
    tables.show("Over several runs, in ms", columns, _asked(services, questions, repetitions))


def _measure_reviewers() -> int:
    lines, broken = [], 0
    for engine, opened in (("sqlite", sqlite_url), ("postgresql", postgresql_url)):
        with opened() as url, open_services(url) as services:
            store_run(services.db, run_id=RUN_ID, name="n", rows=SMALL, at=_AT)
            check = draw_check(services, RUN_ID, size=_REVIEWERS * _EACH)
            drawn = spot_checks.get_queue_progress(services.db, check).items
            wanted = min(drawn, _REVIEWERS * _EACH)
            acknowledged, seconds = _label_at_once(services, check)
            stored = labels.list_labels(services.db, RUN_ID)
            per_claim = Counter((row, label.claim_number) for row, label in stored)
            lost = len(set(acknowledged) - {label.label_id for _, label in stored})
            twice = sum(count - 1 for count in per_claim.values())
            broken += lost + twice + (len(stored) != wanted)
            steps = len(acknowledged) / seconds
            lines.append([engine, f"{len(stored):,}", f"{wanted:,}", lost, twice, f"{seconds:.1f}", f"{steps:.0f}"])
    columns = ["engine", "stored", "wanted", "lost", "claims given twice", "seconds", "labels a second"]
    tables.show(f"{_REVIEWERS} reviewers at once, {_EACH} labels each", columns, lines)
    return broken


def _label_at_once(services: Store, check: int) -> tuple[list[int], float]:
    acknowledged: list[int] = []
    errors: list[BaseException] = []
    start = threading.Barrier(_REVIEWERS + 1)

    def review(name: str) -> None:
        try:
            start.wait()
            for _ in range(_EACH):
                claim = queue.next_claim(services, check, reviewer=name)
                if claim is None:
                    return
                step = queue.label_and_advance(services, check, claim.item.position, "supported", reviewer=name)
                if step is not None and step.claim is not None:
                    acknowledged.extend(label.label_id for label in step.claim.own)
        except BaseException as error:  # noqa: BLE001 - raised again by the main thread
            errors.append(error)

    threads = [threading.Thread(target=review, args=(f"reviewer {n}",)) for n in range(_REVIEWERS)]
    for thread in threads:
        thread.start()
    start.wait()
    begin = perf_counter()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return acknowledged, perf_counter() - begin


def _asked(services: Store, questions: Sequence[tuple[str, Callable[[], object]]], repetitions: int) -> list[list[str]]:
    """Time each question twice over: with nothing kept, as after a label, and asked again."""
    lines = []
    for name, ask in questions:
        ask()  # what is slow once (a plan, a cold page) is not what a session waits for
        fresh: list[float] = []
        again: list[float] = []
        for _ in range(repetitions):
            services.cache = RevisionCache()
            for found in (fresh, again):
                begin = perf_counter()
                ask()
                found.append(perf_counter() - begin)
        lines.append([name, *_figures(fresh), *_figures(again)])
    return lines


def _figures(seconds: Sequence[float]) -> list[str]:
    return [f"{1000 * tables.median(seconds):.1f}", f"{1000 * tables.quantile(seconds, 0.9):.1f}"]


if __name__ == "__main__":
    sys.exit(main())
