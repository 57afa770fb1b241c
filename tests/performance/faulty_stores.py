"""Damages a store in every way that `tests/faults/damage.py` knows, and runs every command that reads it.

    python -m tests.performance.faulty_stores [--seeds 200] [--data FILE]

Prints how many stores ended in a result, in one sentence, or in a traceback, how many `db check` found, and a table of
what was tried and failed (which makes the exit status 1). A
store whose bytes changed where nothing is kept (free pages) is as good as new, and counts as a result.
"""

import argparse
import io
import shutil
import sys
import tempfile
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from faithview.cli.main import main as faithview
from tests.faults.damage import STATEMENTS, all_damages
from tests.performance import tables
from tests.performance.tried import Tally

ROOT = Path(__file__).resolve().parents[2]


def run_command(url: str, *arguments: str) -> tuple[int, str]:
    """Return the exit status and what was said; status -1 with the error for one that nobody caught."""
    said = io.StringIO()
    sys.argv = ["faithview", *arguments, "--db", url]
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        try:
            faithview()
        except SystemExit as ended:
            return int(ended.code or 0), said.getvalue()
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            return -1, f"{type(error).__name__}: {error}"
    return 0, said.getvalue()


def commands(folder: Path) -> list[tuple[str, ...]]:
    """Return the commands that read a store with two runs, a and b."""
    return [
        ("runs", "--json"),
        ("show", "a", "--json"),
        ("compare", "a", "b", "--json"),
        ("export", "a", "-o", str(folder / "out.jsonl")),
        ("report", "a", "-o", str(folder / "out.html")),
        ("labels", "a"),
        ("slices", "a"),
        ("resume", "a"),
        ("delete", "a", "--yes"),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--data", type=Path, default=sorted((ROOT / "data" / "runs").iterdir())[0])
    options = parser.parse_args()
    tally = Tally("what is done with a damaged store")
    ends: Counter[str] = Counter()
    checks: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = folder / "whole.db"
        for run in ("a", "b"):
            run_command(
                f"sqlite:///{whole}",
                "evaluate",
                str(options.data),
                "--limit",
                "30",
                "--judge",
                "lexical",
                "--name",
                run,
            )
        store = folder / "store.db"
        url = f"sqlite:///{store}"
        for what, damage in all_damages(options.seeds).items():
            _put(whole, store)
            damage(store)
            status, answer = run_command(url, "db", "check")
            found = "found" if status in (1, 2) else "not found" if status == 0 else "traceback"
            checks[found] += 1
            # What was overwritten at random may be a page that nothing is kept on.
            tally.count("db check", failed=found == "traceback" or (found == "not found" and what in STATEMENTS))
            for command in commands(folder):
                _put(whole, store)
                damage(store)
                status, said = run_command(url, *command)
                end = "traceback" if status == -1 else "one sentence" if status == 2 else "result"
                ends[end] += 1
                tally.count("a command", failed=end == "traceback")
                if end == "traceback" or (end == "result" and found == "traceback"):
                    print(f"{what}: faithview {' '.join(command[:1])}: {said.strip()[-300:]}")
            if found != "found":
                print(f"{what}: db check: {found} {answer.strip()[-200:]}")
    print(f"{sum(checks.values())} stores, {sum(ends.values())} commands")
    print(f"commands: {dict(ends)}")
    print(f"db check: {dict(checks)}")
    tally.show(f"{sum(checks.values())} stores ({tables.machine()})")
    sys.exit(1 if tally.failed else 0)


def _put(whole: Path, store: Path) -> None:
    for path in store.parent.glob(f"{store.name}*"):
        path.unlink()
    shutil.copy(whole, store)


if __name__ == "__main__":
    main()
