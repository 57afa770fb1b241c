"""Odd values, damaged files and bombs: how many end in rows or one sentence, and how many fail.

    python -m tests.performance.odd_files [--damaged 1000] [--limit-s 10] [--limit-mb 500]
        [--only bombs|odd|damaged] [--part 3/8]

Odd values stand in one row among good ones: the good rows have to be read, and a problem has to name the odd line.
Bombs have to end in one sentence or in rows within the limits, each in a process of its own (Linux). Exits with 1 if
any file fails.
"""

import argparse
import random
import sys

from tests.faults import reading
from tests.faults.bombs import BOMBS
from tests.formats.readers.reading import FILES
from tests.performance import tables
from tests.performance.tried import Tally, in_part, part

_SHOWN = 20


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damaged", type=int, default=1_000)
    parser.add_argument("--limit-s", type=float, default=10.0)
    parser.add_argument("--limit-mb", type=float, default=500.0)
    parser.add_argument("--only", choices=["bombs", "odd", "damaged"])
    parser.add_argument(
        "--part", type=part, default="1/1", metavar="N/M", help="every M-th file and bomb from the N-th on"
    )
    options = parser.parse_args()
    tally = Tally("files")
    failures: list[str] = []
    for file in in_part(_files(options.only, options.damaged), options.part):
        why = reading.failure_of(file)
        tally.count(file.kind, failed=bool(why))
        if why:
            failures.append(f"{file.kind}, {file.name}: {why}")
    if options.only in (None, "bombs"):
        for name, make in in_part(list(BOMBS.items()), options.part):
            outcome = reading.defuse(make, name, most_seconds=10 * options.limit_s)
            shown = "took too long" if outcome is None else f"{outcome.seconds:.1f} s, {outcome.megabytes:.0f} MB"
            sys.stdout.write(f"{name:22} {shown:18} {outcome.text[:110] if outcome else ''}\n")
            failed = (
                outcome is None
                or outcome.text.startswith("FAILED")
                or outcome.seconds > options.limit_s
                or outcome.megabytes > options.limit_mb
            )
            tally.count("bomb", failed=failed)
            if failed:
                failures.append(f"{name}: {shown}")
    for text in failures[:_SHOWN]:
        sys.stdout.write(f"{text}\n")
    tally.show(f"Files that should cost a row or end in one sentence ({tables.machine()})")
    return 1 if failures else 0


def _files(only: str | None, damaged: int) -> list[reading.HostileFile]:
    files: list[reading.HostileFile] = []
    if only in (None, "odd"):
        files += reading.odd_files()
    if only in (None, "damaged"):
        seeds = sorted(path for path in FILES.rglob("*") if path.is_file() and path.name != "README.md")
        files += reading.mutated_files(seeds, each=-(-damaged // len(seeds)), chance=random.Random(18))
    return files


if __name__ == "__main__":
    sys.exit(main())
