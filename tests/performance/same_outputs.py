"""Do two checkouts print the same? For a change that must not move a number.

`python -m tests.performance.same_outputs BEFORE AFTER`: each checkout judges the bundled sample into its own store,
imports the same labels, and prints every JSON document that the command line has: exports, comparisons, agreement,
figures, benches. With `--store FILE` both also read copies of an existing SQLite store, one with spot-checks in it for
example. Run ids are replaced by run names and times are left out; everything else is compared byte for byte. The exit
status is 1 if anything differs.
"""

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from difflib import unified_diff
from itertools import combinations
from pathlib import Path
from typing import Any

# What two runs of one version differ in.
_TIMES = frozenset({"created_at", "seconds", "answers_per_second", "posted_at", "as_of_created"})
_LABELLED_AT = "2026-11-16T09:00:00+00:00"
_REVIEWERS = ("ada", "ben")
_SHOWN_LINES = 40

Command = Callable[..., str]


def main() -> int:
    """Compare the two checkouts and print what differs."""
    parser = argparse.ArgumentParser(description="Do two checkouts print the same documents?")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--store", type=Path, action="append", default=[], help="an SQLite store that both read")
    parser.add_argument("--bench", type=Path, action="append", default=[], help="a labelled file that both bench")
    options = parser.parse_args()
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        before, after = (
            dict(_documents(checkout.resolve(), Path(folder) / side, options.store, options.bench))
            for side, checkout in (("before", options.before), ("after", options.after))
        )
    for name in sorted({*before, *after}):
        if before.get(name) == after.get(name):
            print(f"same       {name} ({len(before[name]):,} characters)")
            continue
        differing += 1
        print(f"DIFFERENT  {name}")
        lines = unified_diff(before.get(name, "").splitlines(), after.get(name, "").splitlines(), "before", "after")
        print("\n".join(line[:300] for _, line in zip(range(_SHOWN_LINES), lines, strict=False)))
    print(f"{len(before)} documents before, {len(after)} after, {differing} different")
    return 1 if differing else 0


def _documents(checkout: Path, folder: Path, stores: list[Path], benches: list[Path]) -> Iterator[tuple[str, str]]:
    folder.mkdir()
    file = folder / "made.db"
    command = _command_of(checkout, f"sqlite:///{file}")
    data = checkout / "data"
    manifest = json.loads((data / "demo.json").read_text(encoding="utf-8"))
    for entry in manifest["runs"]:
        command(
            "evaluate", data / entry["file"], "--name", entry["name"], "--kb-version", entry["kb_version"], "--json"
        )
    for entry in manifest["knowledge_bases"]:
        command("kb", "add", entry["version"], data / entry["file"])
    for entry in manifest["events"]:
        command("event", "add", entry["label"], "--at", entry["at"], "--kb-version", entry["kb_version"])
    yield from _read(command, folder, "judged")
    for entry in manifest["runs"]:
        labels = folder / "labels.jsonl"
        labels.write_text("\n".join(_labels(command, folder, entry["name"], data / "labels.jsonl")), encoding="utf-8")
        yield f"label {entry['name']}", command("label", entry["name"], labels, "--json")
    yield from _read(command, folder, "labelled")
    yield "schema", _schema(file)
    for number, store in enumerate(stores):
        copy = folder / f"given-{number}.db"
        shutil.copy(store, copy)
        yield from _read(_command_of(checkout, f"sqlite:///{copy}"), folder, store.stem)
    for bench in [data / "bench.jsonl", *benches]:
        yield f"bench {bench.name}", command("bench", bench.resolve(), "--explain", "3", "--json")


def _read(command: Command, folder: Path, stage: str) -> Iterator[tuple[str, str]]:
    runs = json.loads(command("runs", "--json", is_raw=True))["runs"]
    names = [run["name"] for run in reversed(runs)]
    yield f"{stage}: runs", command("runs", "--json")
    for name in names:
        yield f"{stage}: show {name}", command("show", name, "--json")
        yield f"{stage}: agreement {name}", command("agreement", name, "--json")
        yield f"{stage}: labels {name}", command("labels", name, "--json")
        for view in ("judge", "reviewed"):
            for kind in ("jsonl", "csv"):
                out = folder / f"export.{kind}"
                command("export", name, "--format", kind, "--view", view, "-o", out)
                yield f"{stage}: export {name} {view} {kind}", _without_ids(out.read_text(encoding="utf-8"), command)
    for baseline, candidate in combinations(names, 2):
        for view in ("judge", "reviewed", "corrected"):
            yield (
                f"{stage}: compare {baseline} {candidate} {view}",
                command("compare", baseline, candidate, "--view", view, "--json"),
            )
    for what in ("kb", "event", "alert"):
        yield f"{stage}: {what} list", command(what, "list", "--json")


def _labels(command: Command, folder: Path, run: str, spans: Path) -> Iterator[str]:
    """Yield labels for one claim in three: what the sample's own spans say, and a second opinion on some."""
    out = folder / "to_label.jsonl"
    command("export", run, "--format", "jsonl", "-o", out)
    wrong: dict[str, list[dict[str, Any]]] = {}
    for line in spans.read_text(encoding="utf-8").splitlines():
        span = json.loads(line)
        if span["run"] == run:
            wrong.setdefault(span["id"], []).append(span)
    number = 0
    for line in out.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for claim in row["claims"]:
            number += 1
            if number % 3:
                continue
            is_wrong = any(
                start < span["end"] and span["start"] < end
                for start, end in claim["answer_spans"]
                for span in wrong.get(row["key"], ())
            )
            verdict = "not_mentioned" if is_wrong else "not_a_claim" if number % 41 == 0 else "supported"
            for reviewer in _REVIEWERS[: 2 if number % 4 == 0 else 1]:
                said = "partially_supported" if reviewer == "ben" and number % 24 == 0 else verdict
                label = {"claim_id": claim["claim_id"], "verdict": said, "reviewer": reviewer, "at": _LABELLED_AT}
                yield json.dumps({**label, "blind": number % 2 == 0, "note": "=1+1"})


def _command_of(checkout: Path, url: str) -> Command:
    environment = {**os.environ, "PYTHONPATH": str(checkout), "FAITHVIEW_DB": url, "NO_COLOR": "1"}

    def command(*words: object, is_raw: bool = False) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "faithview", *map(str, words)],
            cwd=checkout,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if is_raw or "--json" not in words:
            if done.returncode not in (0, 1):
                raise SystemExit(f"faithview {' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr}")
            return done.stdout
        if not done.stdout:
            return f"exit {done.returncode}\n"
        if words[0] in ("labels",):
            return _without_ids(done.stdout, command)
        text = json.dumps(_without_times(json.loads(done.stdout)), indent=1, ensure_ascii=False)
        return _without_ids(f"exit {done.returncode}\n{text}\n", command)

    command.ids = None  # type: ignore[attr-defined]
    return command


def _without_ids(text: str, command: Any) -> str:
    runs = json.loads(command("runs", "--json", is_raw=True))["runs"] if command.ids is None else command.ids
    if len(runs) >= 5:
        command.ids = runs
    for run in runs:
        text = text.replace(run["run_id"], f"<{run['name']}>")
    return text


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_times(item) for name, item in value.items() if name not in _TIMES}
    return [_without_times(item) for item in value] if isinstance(value, list) else value


def _schema(file: Path) -> str:
    with sqlite3.connect(file) as connection:
        return "\n".join(str(row[0]) for row in connection.execute("SELECT sql FROM sqlite_master ORDER BY name"))


if __name__ == "__main__":
    sys.exit(main())
