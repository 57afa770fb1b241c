"""How long `log_answer` keeps the caller, from 8 processes with threads, and whether every answer arrives.

    python tests/performance/live.py [--answers 100000] [--processes 8] [--threads 4] [--pace 0] [--postgresql]

Prints the median, the 99th percentile and the longest time of a call, over all processes, and how long it took until
everything was in the store; ends with an error unless every answer is there once.
"""

import argparse
import json
import multiprocessing
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, perf_counter_ns, sleep
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from faithview import flush_log, log_answer, log_counts
from faithview.services.container import build
from faithview.settings import Settings
from faithview.store import live

# What a support assistant logs: an answer of two sentences and five chunks of a paragraph each.
ANSWER = "You can send a parcel back within 30 days. The refund takes five working days. " * 2
CONTEXT = [
    f"Paragraph {number} of the terms. " + "Returns are free of charge within the country. " * 12 for number in range(5)
]


def work(process: int, answers: int, threads: int, pace_s: float, url: str, out: str) -> None:
    """Log this process's share from several threads and write down how long every call took, in nanoseconds."""
    times: list[list[int]] = [[] for _ in range(threads)]

    def log(thread: int) -> None:
        own = times[thread]
        for number in range(thread, answers, threads):
            start = perf_counter_ns()
            log_answer(ANSWER, CONTEXT, "How do I send it back?", id=f"{process}-{number}", store=url)
            own.append(perf_counter_ns() - start)
            if pace_s:
                sleep(pace_s)

    workers = [threading.Thread(target=log, args=(thread,)) for thread in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    is_written = flush_log(300)
    counts = log_counts(url)
    seen = {
        "times": [time for own in times for time in own],
        "written": is_written,
        "stored": counts.stored,
        "dropped": counts.dropped,
    }
    Path(out).write_text(json.dumps(seen), encoding="utf-8")


@contextmanager
def store(*, is_postgresql: bool) -> Iterator[str]:
    """Yield the URL of an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        if not is_postgresql:
            yield f"sqlite:///{folder}/live.db"
            return
        from tests import postgres

        with postgres.running_server() as server, postgres.fresh_database(server, "live") as url:
            yield url


def measure(url: str, *, answers: int, processes: int, threads: int, pace_s: float) -> dict[str, Any]:
    """Log the answers and return the figures."""
    build(Settings(database_url=url)).close()
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        outs = [f"{folder}/{process}.json" for process in range(processes)]
        started = [
            spawn.Process(target=work, args=(process, answers // processes, threads, pace_s, url, out))
            for process, out in enumerate(outs)
        ]
        start = perf_counter()
        for process in started:
            process.start()
        for process in started:
            process.join()
        seconds = perf_counter() - start
        parts = [json.loads(Path(out).read_text(encoding="utf-8")) for out in outs]
    with build(Settings(database_url=url)) as services:
        (backlog,) = live.list_backlogs(services.db)
    times = sorted(time for part in parts for time in part["times"])
    return {
        "logged": len(times),
        "stored": backlog.waiting,
        "dropped": sum(part["dropped"] for part in parts),
        "median_us": times[len(times) // 2] / 1_000,
        "p99_us": times[int(len(times) * 0.99)] / 1_000,
        "p999_us": times[int(len(times) * 0.999)] / 1_000,
        "longest_ms": times[-1] / 1_000_000,
        "seconds": seconds,
    }


def main() -> None:
    """Print the figures of one measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--pace", type=float, default=0.0, help="Seconds that a thread waits between two answers.")
    parser.add_argument("--postgresql", action="store_true")
    given = parser.parse_args()
    with store(is_postgresql=given.postgresql) as url:
        seen = measure(url, answers=given.answers, processes=given.processes, threads=given.threads, pace_s=given.pace)
    engine = "PostgreSQL" if given.postgresql else "SQLite"
    print(
        f"{engine}: {seen['logged']:,} answers from {given.processes} processes with {given.threads} threads each, "
        f"{seen['stored']:,} stored, {seen['dropped']:,} dropped\n"
        f"  log_answer: median {seen['median_us']:.1f} µs, p99 {seen['p99_us']:.1f} µs, "
        f"p99.9 {seen['p999_us']:.1f} µs, longest {seen['longest_ms']:.1f} ms\n"
        f"  all stored after {seen['seconds']:.1f} s ({seen['stored'] / seen['seconds']:,.0f} a second)"
    )
    if seen["stored"] != seen["logged"]:
        sys.exit("Answers were lost.")


if __name__ == "__main__":
    main()
