"""Do two checkouts print the same? For a change that must not move a number or a word.

`python -m tests.performance.same_outputs BEFORE AFTER`: each checkout judges the bundled sample into its own store,
imports the same labels, and prints every JSON document that the command line has: exports in every format, comparisons,
agreement, spot-checks, slices, figures, benches. It also prints the help text of every command, the OpenAPI document,
and every text that a page of the dashboard sends to the browser. With `--store FILE` both also read copies of an
existing SQLite store, one with spot-checks in it for example. Run ids are replaced by run names and times are left out;
everything else is compared byte for byte. The exit status is 1 if anything differs.
"""

import argparse
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from difflib import unified_diff
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.request import urlopen

# What two runs of one version differ in.
_TIMES = frozenset({"created_at", "seconds", "answers_per_second", "posted_at", "as_of_created"})
_SPENT = re.compile(r"\d[\d.,]* m?s per answer|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:\+00:00| UTC|Z)?")
# In JSON by its name; in CSV the number before what a person changed, which is empty or JSON, and the spot-checks.
_SECONDS = re.compile(r"(\"\"?(?:faithview_)?seconds\"\"?: )[\d.e-]+|(?<=,)()\d[\d.e-]*(?=,(?:\"\{|,\[))")
_LABELLED_AT = "2026-11-16T09:00:00+00:00"
_REVIEWERS = ("ada", "ben")
_SHOWN_LINES = 40

# Reads a command a line and answers with its exit status and what it printed.
_DRIVER = """
import contextlib, io, json, os, sys
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever prints past the answers is no answer
from faithview.cli.main import main
for line in sys.stdin:
    sys.argv = ["faithview", *json.loads(line)]
    printed = io.StringIO()
    printed.buffer = None
    status = 0
    with contextlib.redirect_stdout(printed):
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
    print(json.dumps([status, printed.getvalue()]), file=answers, flush=True)
"""

# Opens a page a line and answers with every text that it sends to the browser, one to a line.
_PAGE_DRIVER = """
import json, os, sys
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

def texts(value, hidden=frozenset(json.loads(sys.argv[1]))):
    if isinstance(value, dict):
        for name, item in sorted(value.items()):
            if name not in hidden:
                yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value

def elements(block):
    for child in block.children.values():
        yield child
        yield from elements(child) if hasattr(child, "children") else ()

for line in sys.stdin:
    app = AppTest.from_file(os.path.abspath("app.py"), default_timeout=300).run()
    app.switch_page(line.strip()).run()
    found = [one.value for one in app.exception]
    for element in elements(app._tree):
        proto = getattr(element, "proto", None)
        if proto is not None:
            found += [element.type, *texts(MessageToDict(proto))]
    print(json.dumps("\\n".join(found)), file=answers, flush=True)
"""
# Fields of what is sent to the browser that are no text, or made anew each time.
_NO_TEXT = ("id", "elementId", "cssContent", "jsContent", "htmlContent", "deferredFileId", "url", "mixedData", "formId")


class _Commands:
    """The command line of one checkout over one store, in a process that imports it once."""

    def __init__(self, checkout: Path, url: str, folder: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(checkout), "FAITHVIEW_DB": url, "NO_COLOR": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _DRIVER],
            cwd=checkout,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # progress and notes
            text=True,
        )
        self.names: dict[str, str] = {}
        self._folder = folder

    def __call__(self, *words: object) -> str:
        """Return what the command prints, ids and times taken out, with its exit status."""
        status, printed = self.raw(*words)
        if status not in (0, 1):
            raise SystemExit(f"faithview {' '.join(map(str, words))} ended with {status}:\n{printed}")
        if "--json" in words and words[0] != "labels" and printed.startswith("{"):
            printed = json.dumps(_without_times(json.loads(printed)), indent=1, ensure_ascii=False)
        return f"exit {status}\n{self.without_ids(printed)}\n"

    def raw(self, *words: object) -> tuple[int, str]:
        """Return the exit status and what the command prints."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(word) for word in words]) + "\n")
        self._process.stdin.flush()
        status, printed = json.loads(self._process.stdout.readline())
        return status, printed

    def without_ids(self, text: str) -> str:
        """Return the text with the names of runs in place of their ids, and without times and this run's folder."""
        for run_id, name in self.names.items():
            text = text.replace(run_id, f"<{name}>")
        text = text.replace(str(self._folder), "<folder>")
        return _SPENT.sub("<time>", text)

    def list_names(self) -> list[str]:
        """Return the names of the store's runs, oldest first, and learn their ids."""
        runs = json.loads(self.raw("runs", "--json")[1])["runs"]
        self.names = {run["run_id"]: run["name"] for run in runs}
        return [run["name"] for run in reversed(runs)]


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
    command = _Commands(checkout, f"sqlite:///{file}", folder)
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
    yield from _pages(command, checkout, f"sqlite:///{file}")
    yield from _help(command)
    yield "openapi", _openapi(checkout, f"sqlite:///{file}")
    for number, store in enumerate(stores):
        copy = folder / f"given-{number}.db"
        shutil.copy(store, copy)
        yield from _read(_Commands(checkout, f"sqlite:///{copy}", folder), folder, store.stem)
    for bench in [data / "bench.jsonl", *benches]:
        yield f"bench {bench.name}", command("bench", bench.resolve(), "--explain", "3", "--json")


def _read(command: _Commands, folder: Path, stage: str) -> Iterator[tuple[str, str]]:
    names = command.list_names()
    yield f"{stage}: runs", command("runs", "--json")
    for name in names:
        yield f"{stage}: show {name}", command("show", name, "--json")
        yield f"{stage}: agreement {name}", command("agreement", name, "--json")
        yield f"{stage}: labels {name}", command("labels", name, "--json")
        for view in ("judge", "reviewed"):
            for kind in ("jsonl", "csv", "ragas", "deepeval", "langsmith", "inspectorraget"):
                out = folder / f"export.{kind}"
                command("export", name, "--format", kind, "--view", view, "-o", out)
                text = command.without_ids(out.read_text(encoding="utf-8"))
                yield f"{stage}: export {name} {view} {kind}", _SECONDS.sub(r"\1<time>", text)
            yield f"{stage}: slices {name} {view}", command("slices", name, "--view", view, "--json")
        yield f"{stage}: text {name}", command("show", name) + command("agreement", name) + command("slices", name)
    for baseline, candidate in combinations(names, 2):
        for view in ("judge", "reviewed", "corrected"):
            yield (
                f"{stage}: compare {baseline} {candidate} {view}",
                command("compare", baseline, candidate, "--view", view, "--json"),
            )
    for what in ("kb", "event", "alert"):
        yield f"{stage}: {what} list", command(what, "list", "--json")


def _pages(command: _Commands, checkout: Path, url: str) -> Iterator[tuple[str, str]]:
    pages = sorted((checkout / "pages").rglob("*.py"), key=lambda file: file.stem)
    names = [file.relative_to(checkout).as_posix() for file in pages if file.stem != "__init__"]
    environment = {**os.environ, "PYTHONPATH": str(checkout), "FAITHVIEW_DB": url}
    done = subprocess.run(
        [sys.executable, "-c", _PAGE_DRIVER, json.dumps(_NO_TEXT)],
        cwd=checkout,
        env=environment,
        input="\n".join(names),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the pages of {checkout} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    for name, text in zip(names, done.stdout.splitlines(), strict=True):
        yield f"page {Path(name).stem}", command.without_ids(json.loads(text))


def _help(command: _Commands, *words: str) -> Iterator[tuple[str, str]]:
    """Yield the help text of a command and of those below it."""
    _, text = command.raw(*words, "--help")
    yield " ".join(["help", *words]), text
    for name in re.findall(r"^  ([a-z][a-z-]*)(?:  |$)", text.partition("Commands:")[2], re.MULTILINE):
        yield from _help(command, *words, name)


def _openapi(checkout: Path, url: str) -> str:
    """Return the service's description of itself."""
    command = [sys.executable, "-m", "faithview", "serve", "--port", "0", "--judge", "lexical"]
    environment = {**os.environ, "PYTHONPATH": str(checkout), "FAITHVIEW_DB": url}
    with subprocess.Popen(command, cwd=checkout, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        address = next(found[0] for line in process.stderr if (found := re.search(r"http://[\d.:]+", line)))
        with urlopen(f"{address}/openapi.json", timeout=60) as reply:
            document = json.load(reply)
        process.terminate()
    return json.dumps(document, indent=1)


def _labels(command: _Commands, folder: Path, run: str, spans: Path) -> Iterator[str]:
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


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_times(item) for name, item in value.items() if name not in _TIMES}
    return [_without_times(item) for item in value] if isinstance(value, list) else value


def _schema(file: Path) -> str:
    with sqlite3.connect(file) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
        # The order of a table's constraints differs from one process to the next.
        return "\n".join(f"{name}: {sorted(line.strip(' ,') for line in sql.splitlines())}" for name, sql in rows)


if __name__ == "__main__":
    sys.exit(main())
