"""Judges the texts of `tests/faults/pathological.py`, each as an answer and as its own chunk, in a process of its own.

    python -m tests.performance.pathological [--bytes 1000000] [--limit-s 10] [--judge lexical] [--only PART]

Prints one line a text: the seconds it took, or that it took longer than ten times the limit; and how many took longer
than the limit. Exits with 1 if any did.
"""

import argparse
import subprocess
import sys
import time

from tests.faults import pathological

_JUDGE_ONE = """
import sys, time
from faithview import check
from tests.faults import pathological
name, size, judge = sys.argv[1], int(sys.argv[2]), sys.argv[3]
text = getattr(pathological, name)(size) if name.isidentifier() and hasattr(pathological, name) and name.islower() \
    and name in ("counting", "words", "nested") else pathological.repeated(pathological.UNITS[int(name)], size)
check(answer="It is.", context=["It is."], judge=judge)
start = time.perf_counter()
try:
    check(answer=text, context=[text], judge=judge)
except Exception as error:
    from faithview.domain.errors import FaithViewError
    if not isinstance(error, FaithViewError):
        raise
print(time.perf_counter() - start)
"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, default=1_000_000)
    parser.add_argument("--limit-s", type=float, default=10.0)
    parser.add_argument("--judge", default="lexical")
    parser.add_argument("--only", default="", help="texts whose repeated part holds this")
    options = parser.parse_args()
    texts = {repr(unit): str(number) for number, unit in enumerate(pathological.UNITS) if options.only in unit}
    if not options.only:
        texts |= {name: name for name in ("counting", "words", "nested")}
    slow = 0
    for shown, name in texts.items():
        seconds = _seconds(name, options.bytes, options.judge, most=10 * options.limit_s)
        slow += seconds is None or seconds > options.limit_s
        print(f"{shown:24} {'too long' if seconds is None else f'{seconds:8.2f} s'}", flush=True)
    print(f"{len(texts)} texts of {options.bytes:,} bytes; {slow} took longer than {options.limit_s:g} s")
    sys.exit(1 if slow else 0)


def _seconds(name: str, size: int, judge: str, *, most: float) -> float | None:
    """Return how long judging takes; None where it takes longer than `most`, or ends in an error nobody expected."""
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-c", _JUDGE_ONE, name, str(size), judge],
            capture_output=True,
            text=True,
            timeout=most,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        print(done.stderr.strip().rpartition("\n")[2][:200])
        return None
    return float(done.stdout.split()[-1]) if done.stdout else time.perf_counter() - start


if __name__ == "__main__":
    main()
