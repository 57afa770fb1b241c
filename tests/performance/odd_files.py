"""Odd values, damaged files and bombs: how many end in rows or one sentence, and how many fail.

    python -m tests.performance.odd_files [--damaged 1000] [--limit-s 10] [--limit-mb 500] [--only bombs|odd|damaged]

Odd values stand in one row among good ones: the good rows have to be read, and a problem has to name the odd line.
Bombs have to end in one sentence or in rows within the limits, each in a process of its own (Linux). Exits with 1 if
any file fails.
"""

import argparse
import random
import sys
from collections import Counter

from tests.faults import reading
from tests.faults.bombs import BOMBS
from tests.formats.readers.reading import FILES

_SHOWN = 20


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damaged", type=int, default=1_000)
    parser.add_argument("--limit-s", type=float, default=10.0)
    parser.add_argument("--limit-mb", type=float, default=500.0)
    parser.add_argument("--only", choices=["bombs", "odd", "damaged"])
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    failures: list[str] = []
    for file in _files(options.only, options.damaged):
        counts[file.kind] += 1
        if why := reading.failure_of(file):
            failed[file.kind] += 1
            failures.append(f"{file.kind}, {file.name}: {why}")
    if options.only in (None, "bombs"):
        for name, make in BOMBS.items():
            counts["bomb"] += 1
            outcome = reading.defuse(make, name, most_seconds=10 * options.limit_s)
            shown = "took too long" if outcome is None else f"{outcome.seconds:.1f} s, {outcome.megabytes:.0f} MB"
            sys.stdout.write(f"{name:22} {shown:18} {outcome.text[:110] if outcome else ''}\n")
            if (
                outcome is None
                or outcome.text.startswith("FAILED")
                or outcome.seconds > options.limit_s
                or outcome.megabytes > options.limit_mb
            ):
                failed["bomb"] += 1
                failures.append(f"{name}: {shown}")
    for text in failures[:_SHOWN]:
        sys.stdout.write(f"{text}\n")
    sys.stdout.write(f"{'kind':24} files  failed\n")
    for kind, count in counts.items():
        sys.stdout.write(f"{kind:24} {count:5}  {failed[kind]:6}\n")
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
