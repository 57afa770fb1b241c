"""How long commands take to start: seconds of the processor and of the clock, beside Python alone and SQLAlchemy.

    python -m tests.performance.startup [--times 5]

The least of several starts, user and system time together, of the process and nothing else: how busy the machine is
moves it less than the clock. The last columns are the processor's time over that of `python -c pass` and over that of
`import sqlalchemy`. Commands that open a store find no run in it; those of the second table judge one answer, or
compare two runs of 120 answers. With `--in-turn` each start of a command is followed by one of the next, so that ratios
hold on a machine that is busy with other things at times; the median counts then.
"""

import argparse
import json
import os
import resource
import statistics
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
    "--help", "--version", "run list", "audit", "series list", "datasets list", "kb list", "alert list",
    "db check --schema", "doctor --no-call",
    "ui --help", "check --help", "evaluate --help", "import --help", "compare --help", "export --help", "serve --help",
    "watch --help", "bench --help", "spot-check --help",
)  # fmt: skip

_ANSWER, _CHUNK = "Refunds take 5 days.", "Refunds take 5 days, at most."
_WEEKS = ("2026-w42", "2026-w43")
_WORKING = {
    "check": ["check", "--answer", _ANSWER, "--context", _CHUNK],
    "evaluate": ["evaluate", "one.jsonl"],
    "compare": ["compare", *_WEEKS],
}


def _seconds(arguments: list[str], environment: dict[str, str], folder: Path) -> tuple[float, float]:
    """Return the seconds of the processor, and of the clock; raises CalledProcessError if the command fails."""
    began = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-P", *arguments], env=environment, cwd=folder, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return processor, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--in-turn", action="store_true")
    given = parser.parse_args()
    usual = statistics.median if given.in_turn else min

    def measure(cases: dict[str, list[str]], environment: dict[str, str], folder: Path) -> dict[str, list[float]]:
        starts = [name for name in cases for _ in range(given.times)]
        measured: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
        for name in [*cases] * given.times if given.in_turn else starts:
            measured[name].append(_seconds(cases[name], environment, folder))
        return {name: [usual(column) for column in zip(*measured[name], strict=True)] for name in cases}

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "FAITHVIEW_DB": f"sqlite:///{folder / 'a.db'}"}
        _seconds(["-m", "faithview", "db", "upgrade"], environment, folder)
        print(f"On {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start:\n")
        cases = {**_BARE, **{f"faithview {command}": ["-m", "faithview", *command.split()] for command in _COMMANDS}}
        seconds = measure(cases, environment, folder)
        alone, sqlalchemy = (seconds[name][0] for name in ("python -c pass", "import sqlalchemy"))
        _print_table(seconds, alone, sqlalchemy)

        row = json.dumps({"answer": _ANSWER, "contexts": [_CHUNK]})
        (folder / "one.jsonl").write_text(row, encoding="utf-8")
        environment["FAITHVIEW_DB"] = f"sqlite:///{folder / 'b.db'}"
        for week in _WEEKS:
            file = str(ROOT / "data" / "runs" / f"{week}.jsonl")
            _seconds(["-m", "faithview", "evaluate", file, "--name", week], environment, folder)
        cases = {f"faithview {name}": ["-m", "faithview", *arguments] for name, arguments in _WORKING.items()}
        print()
        _print_table(measure(cases, environment, folder), alone, sqlalchemy)


def _print_table(seconds: dict[str, list[float]], alone: float, sqlalchemy: float) -> None:
    print("| command | seconds of the processor | of the clock | times Python alone | times SQLAlchemy |")
    print("| --- | --- | --- | --- | --- |")
    for name, (processor, clock) in seconds.items():
        ratios = f"{processor / alone:.0f} | {processor / sqlalchemy:.2f}"
        print(f"| `{name}` | {processor:.2f} | {clock:.2f} | {ratios} |")


if __name__ == "__main__":
    main()
