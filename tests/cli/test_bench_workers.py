"""`faithview bench` with worker processes and with its mistakes explained."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def _bench(file: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "faithview", "bench", str(file), *arguments]
    environment = {**os.environ, "FAITHVIEW_DB": f"sqlite:///{file.parent / 'store.db'}"}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=file.parent, env=environment)


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    chunk = "The warranty lasts two years and covers the battery."
    rows: list[dict[str, Any]] = [
        {"id": "good", "answer": "The warranty covers the battery.", "label": 1},
        {"id": "flagged", "answer": "Penguins of the far south admire opera.", "label": 1},
        {"id": "passed", "answer": "The warranty lasts two years.", "label": 0},
        {"id": "bad", "answer": "The warranty lasts nine years.", "label": 0},
    ]
    file = tmp_path / "labelled.jsonl"
    filled = [
        {"source": "made up", "task": "QA", "question": "", "chunks": [chunk], "claim": None, "spans": None, **row}
        for row in rows
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in filled), encoding="utf-8")
    return file


def test_the_worst_mistakes_are_listed_with_their_reasons(labelled: Path) -> None:
    done = _bench(labelled, "--explain", "1", "--json")
    assert done.returncode == 0, done.stderr
    mistakes = json.loads(done.stdout)["mistakes"]
    assert [(m["key"], m["what"]) for m in mistakes] == [
        ("passed", "unfaithful for people, passed by the judge"),
        ("flagged", "faithful for people, flagged by the judge"),
    ]
    assert mistakes[1]["claims"][0]["verdict"] == "not_mentioned"


def test_two_workers_give_the_same_figures_as_one(labelled: Path) -> None:
    documents = [json.loads(_bench(labelled, "--workers", n, "--json").stdout) for n in ("1", "2")]
    for document in documents:
        del document["seconds"], document["answers_per_second"]
    assert documents[0] == documents[1]
    assert documents[0]["balanced_accuracy"] == 0.5


def test_workers_are_for_the_embedded_judge(labelled: Path) -> None:
    done = _bench(labelled, "--workers", "2", "--judge", "openai:gpt-test")
    assert done.returncode == 2
    assert "has no worker processes" in done.stderr
