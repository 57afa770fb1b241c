"""Odd values, damaged files and bombs: how many end in rows or one sentence, and how many fail.

    python -m tests.performance.odd_files [--damaged 1000] [--limit-s 10] [--limit-mb 500]
        [--only bombs|replies|odd|damaged] [--part 3/8]

Odd values stand in one row among good ones: the good rows have to be read, and a problem has to name the odd line.
Bombs have to end in one sentence or in rows within the limits, each in a process of its own (Linux). Replies are
those of a hostile server to a judge and to a pull, with the same limits; a pull may read 256 MB, so it may take twice
the memory. Exits with 1 if any fails.
"""

import argparse
import random
import subprocess
import sys

from tests.faults import reading
from tests.faults.bombs import BOMBS
from tests.faults.hostile_server import REPLIES, hostile_server
from tests.formats.readers.reading import FILES
from tests.judges.llm.judging import VENDORS
from tests.performance import tables
from tests.performance.tried import Tally, in_part, part

_SHOWN = 20
_ASKERS = (*VENDORS, "phoenix")
# No more memory than 6 GB, so that a fault does not end the machine.
_ASK = """
import asyncio, re, resource, sys, tempfile, time
from pathlib import Path
from faithview.domain.errors import FaithViewError
from faithview.domain.sample import Sample
from faithview.services.pulls.pull import Request, pull_file
from faithview.services.pulls.pull import find_tool
from tests.judges.llm.judging import VENDORS, make_judge
from tests.services.pulls.pulling import KEYS, URLS
asker, url = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
async def judge():
    judge = make_judge(asker, url)
    try:
        return (await judge.judge(Sample.of("At nine.", ["At nine."], question="When?"))).error
    finally:
        await judge.aclose()
def pull():
    with tempfile.TemporaryDirectory() as folder:
        request = Request(tool=find_tool(asker), project="p")
        environment = {**dict.fromkeys(URLS, url), **KEYS}
        pull_file(request, Path(folder) / "a", environment=environment, say=lambda _: None, wait=lambda _: None)
start = time.perf_counter()
try:
    text = asyncio.run(judge()) if asker in VENDORS else pull()
except FaithViewError as error:
    text = error
seconds = time.perf_counter() - start
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())
print(f"{seconds:.1f} {int(peak[1]) / 1024:.0f} {' '.join(str(text).split())}")
"""


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damaged", type=int, default=1_000)
    parser.add_argument("--limit-s", type=float, default=10.0)
    parser.add_argument("--limit-mb", type=float, default=500.0)
    parser.add_argument("--only", choices=["bombs", "replies", "odd", "damaged"])
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
    if options.only in (None, "replies"):
        for name, asker in in_part([(name, asker) for name in REPLIES for asker in _ASKERS], options.part):
            outcome = _asked(name, asker, most_seconds=10 * options.limit_s)
            sys.stdout.write(
                f"{name:22} {asker:10} {outcome.seconds:5.1f} s, {outcome.megabytes:5.0f} MB {outcome.text[:110]}\n"
            )
            sys.stdout.flush()
            most_mb = options.limit_mb * (1 if asker in VENDORS else 2)
            failed = (
                outcome.text.startswith("FAILED") or outcome.seconds > options.limit_s or outcome.megabytes > most_mb
            )
            tally.count("reply", failed=failed)
            if failed:
                failures.append(f"{name} to {asker}: {outcome.seconds:.1f} s, {outcome.megabytes:.0f} MB")
    for text in failures[:_SHOWN]:
        sys.stdout.write(f"{text}\n")
    tally.show(f"Files that should cost a row or end in one sentence ({tables.machine()})")
    return 1 if failures else 0


def _asked(name: str, asker: str, *, most_seconds: float) -> reading.BombOutcome:
    """Have a judge or a pull meet a reply, in a process of its own; the server is in this one."""
    with hostile_server(REPLIES[name]) as server:
        try:
            done = subprocess.run(
                [sys.executable, "-c", _ASK, asker, server.url],
                capture_output=True,
                text=True,
                timeout=most_seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return reading.BombOutcome(text="FAILED: took too long", seconds=most_seconds, megabytes=0.0)
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2][:200]
        return reading.BombOutcome(text=f"FAILED: {last or done.returncode}", seconds=0.0, megabytes=0.0)
    seconds, megabytes, text = done.stdout.strip().split(" ", 2)
    return reading.BombOutcome(text=text, seconds=float(seconds), megabytes=float(megabytes))


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
