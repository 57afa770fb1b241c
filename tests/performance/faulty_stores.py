"""Damages a store in every way that `tests/faults/damage.py` knows, and runs every command that reads it.

    python -m tests.performance.faulty_stores [--seeds 200] [--data FILE]

Prints a table: how many stores ended in a result, in one sentence, or in a traceback, and how many `db check` found. A
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
from tests.faults.damage import all_damages

ROOT = Path(__file__).resolve().parents[2]


def run_command(store: Path, *arguments: str) -> tuple[int, str]:
    """Return the exit status and what was said; status 1 with a traceback for an error that nobody caught."""
    said = io.StringIO()
    sys.argv = ["faithview", *arguments, "--db", f"sqlite:///{store}"]
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
    ends: Counter[str] = Counter()
    checks: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = folder / "whole.db"
        for run in ("a", "b"):
            run_command(whole, "evaluate", str(options.data), "--limit", "30", "--judge", "lexical", "--name", run)
        store = folder / "store.db"
        for what, damage in all_damages(options.seeds).items():
            _put(whole, store)
            damage(store)
            status, answer = run_command(store, "db", "check")
            found = "found" if status in (1, 2) else "not found" if status == 0 else "traceback"
            checks[found] += 1
            for command in commands(folder):
                _put(whole, store)
                damage(store)
                status, said = run_command(store, *command)
                end = "traceback" if status == -1 else "one sentence" if status == 2 else "result"
                ends[end] += 1
                if end == "traceback" or (end == "result" and found == "traceback"):
                    print(f"{what}: faithview {' '.join(command[:1])}: {said.strip()[-300:]}")
            if found != "found":
                print(f"{what}: db check: {found} {answer.strip()[-200:]}")
    print(f"{sum(checks.values())} stores, {sum(ends.values())} commands")
    print(f"commands: {dict(ends)}")
    print(f"db check: {dict(checks)}")


def _put(whole: Path, store: Path) -> None:
    for path in store.parent.glob(f"{store.name}*"):
        path.unlink()
    shutil.copy(whole, store)


if __name__ == "__main__":
    main()
