"""A command line at work: judges, imports, labels, reads, deletes, and is killed now and then."""

import itertools
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from faithview.settings import DATABASE_VARIABLE
from tests.dashboard import ROOT

ROWS = 60
_PATIENCE_S = 300
# Every third run is killed so long after its start: while Python loads, while the file is read, while it is judged.
_KILL_EVERY = 3
_KILL_S = (0.5, 8.0)


@dataclass(slots=True, kw_only=True)
class Commanded:
    """What commands reported as done: names of runs, names of deleted runs, and imported labels by reviewer."""

    commands: int = 0
    kills: int = 0
    runs: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def __add__(self, other: "Commanded") -> "Commanded":
        return Commanded(
            commands=self.commands + other.commands,
            kills=self.kills + other.kills,
            runs=self.runs + other.runs,
            deleted=self.deleted + other.deleted,
            labels=self.labels | other.labels,
            faults=self.faults + other.faults,
        )


def command(folder: Path, store: str, *, number: int, until: float, chance: random.Random) -> Commanded:
    """Work until that moment (`time.monotonic`)."""
    worker = _Worker(folder=folder / str(number), environment={**os.environ, DATABASE_VARIABLE: store}, chance=chance)
    worker.folder.mkdir()
    for turn in itertools.count():
        if time.monotonic() > until:
            break
        worker.take_turn(f"{number}.{turn}", is_killed=turn % _KILL_EVERY == 1)
    return worker.done


@dataclass(slots=True, kw_only=True)
class _Worker:
    folder: Path
    environment: dict[str, str]
    chance: random.Random
    done: Commanded = field(default_factory=Commanded)

    def take_turn(self, turn: str, *, is_killed: bool) -> None:
        """Judge a file as a run, label and read it; import another file, and delete every third import."""
        judged, imported = f"judged {turn}", f"imported {turn}"
        if self._make(["evaluate", str(self._rows(turn)), "--judge", "lexical", "--name", judged], judged, is_killed):
            self._label(judged, reviewer=f"command {turn}")
            for words in (["show", judged, "--json"], ["slices", judged], ["runs", "--json"]):
                self._run(*words)
        is_made = self._make(["import", str(self._results(turn)), "--name", imported], imported, False)
        if is_made and is_killed and self._run("delete", imported, "--yes") is not None:
            self.done.runs.remove(imported)
            self.done.deleted.append(imported)

    def _make(self, words: list[str], name: str, is_killed: bool) -> bool:
        """Make a run; where it is killed, resume it, or make it again if nothing of it was stored."""
        if is_killed:
            process = self._start(words)
            try:
                process.wait(self.chance.uniform(*_KILL_S))
            except subprocess.TimeoutExpired:
                process.kill()
                self.done.kills += 1
            process.communicate()
            listed = json.loads(self._run("runs", "--json") or '{"runs": []}')["runs"]
            if any(run["name"] == name for run in listed):
                words = ["resume", name]
        if self._run(*words) is None:
            return False
        self.done.runs.append(name)
        return True

    def _label(self, name: str, *, reviewer: str) -> None:
        exported = self.folder / "exported.jsonl"
        exported.unlink(missing_ok=True)
        if self._run("export", name, "--format", "jsonl", "-o", str(exported)) is None:
            return
        claims = [
            c["claim_id"] for line in exported.read_text("utf-8").splitlines() for c in json.loads(line)["claims"]
        ]
        labels = [{"claim_id": claim, "verdict": "supported", "reviewer": reviewer} for claim in claims]
        if self._run("label", name, str(_write(self.folder / "labels.jsonl", labels))) is not None:
            self.done.labels[reviewer] = len(labels)

    def _run(self, *words: str) -> str | None:
        """Run a command and return what it printed; None, and a fault, where it failed."""
        process = self._start(list(words))
        try:
            out, errors = process.communicate(timeout=_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.done.faults.append(f"faithview {' '.join(words)}: not over after {_PATIENCE_S} s")
            return None
        self.done.commands += 1
        if process.returncode == 0:
            return out
        self.done.faults.append(f"faithview {' '.join(words)}: {process.returncode}: {errors.strip()[-300:]}")
        return None

    def _start(self, words: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "faithview", *words],
            env=self.environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def _rows(self, turn: str) -> Path:
        answer = "Parking is free. It opens at {} in house {}."
        rows = [
            {
                "id": f"{turn} {n}",
                "question": f"When does house {turn} open on day {n}?",
                "answer": answer.format(n % 12, turn),
                "contexts": ["Parking is free. It opens at nine."],
            }
            for n in range(ROWS)
        ]
        return _write(self.folder / "rows.jsonl", rows)

    def _results(self, turn: str) -> Path:
        row = {"contexts": ["Parking is free."], "answer": "Parking is free.", "faithfulness": 1.0}
        return _write(
            self.folder / "results.jsonl", [{"question": f"Is it free in {turn} {n}?", **row} for n in range(ROWS)]
        )


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
