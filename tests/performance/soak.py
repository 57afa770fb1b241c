"""Browsers and command lines at work on one store for a while; then the store is asked whether all of it is there.

    python -m tests.performance.soak [--minutes 3] [--browsers 2] [--commands 2] [--postgresql] [--seed 18]

Each browser labels claims with keys and looks at the pages in turn. Each command line judges files, imports results and
labels, reads what is stored, deletes a run, and has every third run killed with SIGKILL and resumed. What a command
reported as done, and every key that a page took, has to be in the store once, and nothing else. Prints what was done
and found, and the memory of the dashboard's server before a page was opened and at the end. Exits with 1 if something
was lost, doubled or left over, if a page showed an error, or if a traceback was printed. Linux.
"""

import argparse
import contextlib
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from faithview.domain.run import Run
from faithview.services.container import Store
from tests import postgres
from tests.dashboard import start_dashboard
from tests.factories import LEXICAL, add_judged_run, open_services
from tests.label_presses import many_claim_samples
from tests.performance import tables
from tests.performance.soaking.browsing import Browsed, browse
from tests.performance.soaking.commanding import Commanded, command
from tests.performance.soaking.findings import find_faults

_ANSWERS = 40


def main() -> int:
    """Let them work, print the tables, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--browsers", type=int, default=2)
    parser.add_argument("--commands", type=int, default=2, help="how many command lines work at a time")
    parser.add_argument("--postgresql", action="store_true", help="a store in PostgreSQL in place of SQLite")
    parser.add_argument("--seed", type=int, default=18)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="faithview-soak-") as name, _store(Path(name), options.postgresql) as url:
        folder = Path(name)
        with open_services(url) as services:
            shared = _shared_run(services)
            dashboard = start_dashboard(url, log=folder / "dashboard.log")
            try:
                start_mb = memory_mb(dashboard.process.pid)
                until = time.monotonic() + 60 * options.minutes
                with ThreadPoolExecutor(options.browsers + options.commands) as workers:
                    browsing = [
                        workers.submit(browse, dashboard.url, url, shared, number=number, until=until)
                        for number in range(options.browsers)
                    ]
                    commanding = [
                        workers.submit(
                            command,
                            folder,
                            url,
                            number=number,
                            until=until,
                            chance=random.Random(options.seed + number),
                        )
                        for number in range(options.commands)
                    ]
                browsed = sum((done.result() for done in browsing), Browsed())
                commanded = sum((done.result() for done in commanding), Commanded())
                end_mb = memory_mb(dashboard.process.pid)
            finally:
                dashboard.stop()
            faults = find_faults(services, url, shared, browsed, commanded)
        if "Traceback" in (folder / "dashboard.log").read_text(encoding="utf-8", errors="replace"):
            faults.append("the dashboard's log has a traceback")
    return _report(browsed, commanded, faults, start_mb=start_mb, end_mb=end_mb, minutes=options.minutes)


def memory_mb(pid: int) -> float:
    """Return how much memory a process and its children take up now, in MB."""
    folder = Path(f"/proc/{pid}")
    found = re.search(r"VmRSS:\s+(\d+) kB", (folder / "status").read_text(encoding="utf-8"))
    children = [int(child) for task in folder.glob("task/*/children") for child in task.read_text().split()]
    return (int(found[1]) / 1024 if found else 0.0) + sum(memory_mb(child) for child in set(children))


@contextlib.contextmanager
def _store(folder: Path, in_postgresql: bool) -> Iterator[str]:
    if not in_postgresql:
        yield f"sqlite:///{folder / 'faithview.db'}"
        return
    with postgres.running_server() as server:
        yield postgres.sqlalchemy_url(server)


def _shared_run(services: Store) -> Run:
    run = add_judged_run(services, many_claim_samples(_ANSWERS), "shared", judge=LEXICAL)
    return run


def _report(
    browsed: Browsed, commanded: Commanded, faults: list[str], *, start_mb: float, end_mb: float, minutes: float
) -> int:
    counts = Counter(
        {
            "keys pressed that label a claim": browsed.presses,
            "  of them stored": browsed.stored,
            "  of them refused, and the page said so": browsed.refused,
            "pages looked at": browsed.pages,
            "commands that ended": commanded.commands,
            "runs judged or imported": len(commanded.runs),
            "  of them killed on the way, and resumed": commanded.kills,
            "runs deleted": len(commanded.deleted),
            "labels imported": sum(commanded.labels.values()),
        }
    )
    tables.show(
        f"Done in {minutes:g} minutes ({tables.machine()})",
        ["what", "count"],
        [[what, f"{count:,}"] for what, count in counts.items()],
    )
    sys.stdout.write("".join(f"FAULT: {fault}\n" for fault in faults))
    tables.show(
        "Found",
        ["what", "figure"],
        [
            ["lost, doubled or left over, torn, or shown as an error", len(faults)],
            ["the dashboard's memory before a page was opened, MB", f"{start_mb:.0f}"],
            ["the dashboard's memory at the end, MB", f"{end_mb:.0f}"],
        ],
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
