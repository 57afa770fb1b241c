"""How long commands take to start: seconds of the processor and of the clock, beside Python alone and SQLAlchemy.

    python -m tests.performance.startup [--times 5]

The least of several starts, user and system time together, of the process and nothing else: how busy the machine is
moves it less than the clock. The last column is the processor's time over that of `python -c pass`. `runs` and `audit`
open a store without a run in it.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.dashboard import ROOT

_BARE = {
    "python -c pass": ["-c", "pass"],
    "import typer": ["-c", "import typer"],
    "import sqlalchemy": ["-c", "import sqlalchemy"],
}
_COMMANDS = (
    "--help", "--version", "runs", "audit", "series list", "alert list", "db check --schema", "doctor --no-call",
    "ui --help", "check --help", "evaluate --help", "import --help", "compare --help", "export --help", "serve --help",
    "watch --help", "bench --help", "spot-check --help",
)  # fmt: skip


def _seconds(arguments: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Return the seconds of the processor, and of the clock."""
    began = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-P", *arguments], env=environment, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return processor, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "FAITHVIEW_DB": f"sqlite:///{Path(folder, 'a.db')}"}
        subprocess.run(
            [sys.executable, "-m", "faithview", "db", "upgrade"], env=environment, check=True, capture_output=True
        )
        cases = {**_BARE, **{f"faithview {command}": ["-m", "faithview", *command.split()] for command in _COMMANDS}}
        print(f"On {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start:\n")
        print("| command | seconds of the processor | of the clock | times Python alone |\n| --- | --- | --- | --- |")
        alone = 0.0
        for name, arguments in cases.items():
            measured = [_seconds(arguments, environment) for _ in range(times)]
            processor, clock = (min(column) for column in zip(*measured, strict=True))
            alone = alone or processor
            print(f"| `{name}` | {processor:.2f} | {clock:.2f} | {processor / alone:.0f} |", flush=True)


if __name__ == "__main__":
    main()
