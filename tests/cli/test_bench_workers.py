"""`faithview bench` with worker processes and with its mistakes explained."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command


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


def test_the_worst_mistakes_are_listed_with_their_reasons(faithview: Command, labelled: Path) -> None:
    done = faithview("bench", labelled, "--explain", "1", "--json")
    assert done.status == 0, done.err
    mistakes = done.document["mistakes"]
    assert [(m["key"], m["what"]) for m in mistakes] == [
        ("passed", "labelled unfaithful, passed by the judge"),
        ("flagged", "labelled faithful, flagged by the judge"),
    ]
    assert mistakes[1]["claims"][0]["verdict"] == "not_mentioned"


def test_two_workers_give_the_same_figures_as_one(faithview: Command, labelled: Path) -> None:
    documents = [faithview("bench", labelled, "--workers", n, "--json").document for n in (1, 2)]
    for document in documents:
        del document["seconds"], document["answers_per_second"]
    assert documents[0] == documents[1]
    assert documents[0]["balanced_accuracy"] == 0.5


def test_workers_are_for_the_embedded_judge(faithview: Command, labelled: Path) -> None:
    done = faithview("bench", labelled, "--workers", 2, "--judge", "openai:gpt-test")
    assert done.status == 2
    assert "has no worker processes" in done.err
