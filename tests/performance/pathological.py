"""Judges the texts of `tests/faults/pathological.py`, each as an answer and as its own chunk, in a process of its own.

    python -m tests.performance.pathological [--bytes 1000000] [--limit-s 10] [--judge lexical] [--part 3/8]

Prints one line a text: the seconds of the processor that it took, so that what else the machine does is left out; or
the error that it ended in. A text is stopped after ten times the limit. Then one line a kind: how many were tried, and
how many failed, by an error or by taking longer than the limit. Exits with 1 if any failed. With `--part 3/8` it tries
every eighth text from the third on, so that the eight parts together try each text once; with `--done FILE` it writes
what it has found to a file, and leaves out what is there.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.faults.pathological import TEXTS
from tests.performance import tables
from tests.performance.tried import Tally, in_part, part

_JUDGE_ONE = """
import sys, time
from faithview import check
from faithview.domain.errors import FaithViewError
from tests.faults.pathological import TEXTS
number, size, judge = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
text = TEXTS[number].make(size)
check(answer="It is.", context=["It is."], judge=judge)
start = time.process_time()
try:
    check(answer=text, context=[text], judge=judge)
except FaithViewError:
    pass
print(time.process_time() - start)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What became of a text; `seconds` is None where it was stopped or ended in an error nobody expected."""

    name: str
    bytes: int
    judge: str
    seconds: float | None
    error: str = ""

    def failed(self, limit_s: float) -> bool:
        """Return whether it took longer than that, or did not end as it should."""
        return self.seconds is None or self.seconds > limit_s


def main() -> int:
    """Print the lines and the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, default=1_000_000)
    parser.add_argument("--limit-s", type=float, default=10.0)
    parser.add_argument("--judge", default="lexical")
    parser.add_argument("--only", default="", help="texts whose repeated part holds this")
    parser.add_argument("--part", type=part, default="1/1", metavar="N/M", help="every M-th text from the N-th on")
    parser.add_argument("--done", type=Path, help="keep what was found here, and leave out what is there already")
    options = parser.parse_args()
    done = _read(options.done, size=options.bytes, judge=options.judge)
    tally = Tally("texts")
    for number, text in in_part(list(enumerate(TEXTS)), options.part):
        if options.only not in text.name:
            continue
        found = done.get(text.name)
        if found is None:
            found = _measure(number, options.bytes, options.judge, most=10 * options.limit_s)
            _keep(options.done, found)
        failed = found.failed(options.limit_s)
        tally.count(text.kind, failed=failed)
        shown = found.error if found.seconds is None else f"{found.seconds:8.2f} s"
        sys.stdout.write(f"{text.name:24} {shown}{'  FAILED' if failed else ''}\n")
        sys.stdout.flush()
    limit = f"{options.limit_s:g} s of the processor"
    tally.show(f"Texts of {options.bytes:,} bytes, each judged within {limit} ({tables.machine()})")
    return 1 if tally.failed else 0


def _measure(number: int, size: int, judge: str, *, most: float) -> Measured:
    name = TEXTS[number].name
    try:
        done = subprocess.run(
            [sys.executable, "-c", _JUDGE_ONE, str(number), str(size), judge],
            capture_output=True,
            text=True,
            timeout=most,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Measured(name=name, bytes=size, judge=judge, seconds=None, error=f"stopped after {most:g} s")
    if done.returncode:
        error = done.stderr.strip().rpartition("\n")[2][:200] or f"ended with {done.returncode}"
        return Measured(name=name, bytes=size, judge=judge, seconds=None, error=error)
    return Measured(name=name, bytes=size, judge=judge, seconds=float(done.stdout.split()[-1]))


def _read(path: Path | None, *, size: int, judge: str) -> dict[str, Measured]:
    if path is None or not path.exists():
        return {}
    lines = [Measured(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    return {found.name: found for found in lines if (found.bytes, found.judge) == (size, judge)}


def _keep(path: Path | None, found: Measured) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(asdict(found)) + "\n")


if __name__ == "__main__":
    sys.exit(main())
