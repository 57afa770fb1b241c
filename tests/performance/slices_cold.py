"""How long weak spots take to be found in a stored run for the first time: `python -m tests.performance.slices_cold`.

The run is one of `tests.performance.slices` with a planted slice, stored through the store's own functions. Every
repetition is a process of its own that has nothing in memory, on one core: processor seconds until the packages are
imported and the store is open, and of finding the slices; and by the clock. Then the same again, kept in memory.
"""

import argparse
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from time import perf_counter, process_time

import numpy as np

from faithview import Chunk, Claim, Result, Sample, State, Verdict
from faithview.store.database import open_database
from tests.factories import open_services
from tests.performance import tables
from tests.performance.slices import Corpus, Setting, choose
from tests.performance.stores import sqlite_url, store_rows
from tests.performance.synthetic import Row

_RUN = "run"
_SHARE, _EFFECT = 0.15, 0.2
_LIMIT_S = 2.0


def main() -> int:
    """Store a run, search it in new processes, print the table; exit with 1 above two processor seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_500)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--store", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.store:
        _search(options.store)
        return 0
    sys.stdout.write(f"{tables.machine()}; {options.repetitions} repetitions\n")
    with sqlite_url() as url:
        _fill(url, options.rows)
        # One core, as the figure says: numpy would multiply matrices on all.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "tests.performance.slices_cold", "--store", url]
        found = [
            json.loads(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)
            for _ in range(options.repetitions)
        ]
    median = {name: tables.median([each[name] for each in found]) for name in found[0]}
    rows = [[name, f"{seconds:.2f}"] for name, seconds in median.items() if name.startswith("s ")]
    tables.show(
        f"{median['answers']:,.0f} answers, {median['tested']:,.0f} slices looked at, {median['found']:.0f} found",
        ["median of", "seconds"],
        [[str(name).removeprefix("s "), seconds] for name, seconds in rows],
    )
    return int(median["s finding them, processor"] > _LIMIT_S)


def _search(url: str) -> None:
    from faithview.services.weak_spots.slices import find_slices

    services = open_services(url)
    begun, at = process_time(), perf_counter()
    found = find_slices(services, _RUN)
    searched, until = process_time(), perf_counter()
    find_slices(services, _RUN)
    figures = {
        "answers": found.answers,
        "tested": found.tested,
        "found": len(found.slices),
        "s starting Python, packages, the store, processor": begun,
        "s finding them, processor": searched - begun,
        "s finding them, clock": until - at,
        "s finding them again, clock": perf_counter() - until,
    }
    sys.stdout.write(json.dumps(figures))


def _fill(url: str, rows: int) -> None:
    rng = np.random.default_rng(20_261_122)
    corpus = Corpus(Setting(answers=rows, mean=0.95, alike=4, claims=3), rng)
    planted = choose(corpus.properties.members, _SHARE, rng)
    if planted is None:
        raise ValueError(f"No slice of {rows} answers is as large as the one to plant: ask for more --rows.")
    supported = corpus.supported(np.where(planted, _EFFECT, 0.0))
    db = open_database(url)
    made = [_row(corpus, at, int(right)) for at, right in enumerate(supported)]
    store_rows(db, made, run_id=_RUN, name="Run", at=datetime(2026, 3, 2, 9, tzinfo=UTC))
    db.close()


def _row(corpus: Corpus, at: int, supported: int) -> Row:
    facts = [chunk for chunk in corpus.chunks if chunk.sample_id == at]
    chunks = tuple(
        Chunk(
            text=f"What {fact.chunk_id} says.",
            chunk_id=fact.chunk_id,
            score=fact.score,
            metadata={"title": fact.chunk_id, **fact.meta},
        )
        for fact in facts
    )
    claims = tuple(
        Claim(
            text=text,
            verdict=Verdict.SUPPORTED if number < supported else Verdict.NOT_MENTIONED,
            supporting_chunk_ids=(chunks[number % len(chunks)].chunk_id,) if number < supported else (),
        )
        for number, text in enumerate(corpus.claim_texts[at])
    )
    sample = Sample(
        key=f"row-{at}",
        question=corpus.texts[at],
        answer=". ".join(corpus.claim_texts[at]),
        chunks=chunks,
        segment=f"topic {corpus.topics[at]}",
    )
    return Row(sample=sample, result=Result(state=State.JUDGED, judge="lexical", claims=claims))


if __name__ == "__main__":
    sys.exit(main())
