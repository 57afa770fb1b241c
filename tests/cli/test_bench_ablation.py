"""`faithview bench --ablate`: the table, the document, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from faithview import open_store
from faithview.judges.lexical.scoring.boosted_trees import Settings
from faithview.judges.lexical.scoring.model import FAMILIES
from faithview.services.judge_quality import ablation
from faithview.services.judge_quality.fit import Answer
from faithview.store.benchmarks import list_benchmarks
from tests.cli.conftest import Command


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fits that take no time; `tests/services/judge_quality/test_ablation.py` fits in earnest."""

    def figures(files: dict[str, list[Answer]], settings: Settings, *, folds: int) -> dict[str, dict[str, Any]]:
        columns = int(files["file"][0].rows.any(axis=0).sum())
        value = 0.5 + 0.001 * columns + 0.0001 * settings.seed
        return {"file": {"claim_auroc": None, "auroc": value, "balanced_accuracy": value / 2}}

    monkeypatch.setattr(ablation, "figures_out_of_fold", figures)


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    file = tmp_path / "labelled.jsonl"
    base = {"source": "made up", "task": "QA", "question": "", "claim": None}
    rows = []
    for number in range(24):
        answer = "It is painted green." if number % 2 else "It was stolen by sailors."
        spans = [] if number % 2 else [{"start": 0, "end": len(answer), "type": "x"}]
        chunk = f"The kettle of room {number} stands beside the window. It is painted green."
        rows.append(
            {"id": str(number), "answer": answer, "chunks": [chunk], "label": number % 2, "spans": spans, **base}
        )
    file.write_text("".join(json.dumps({"doc": f"room {row['id']}", **row}) + "\n" for row in rows), encoding="utf-8")
    return file


@pytest.mark.usefixtures("quick")
def test_the_document_has_the_ablation_beside_what_it_had(faithview: Command, labelled: Path, store: Path) -> None:
    plain = faithview("bench", labelled, "--json").document
    document = faithview("bench", labelled, "--ablate", "--json").document
    assert list(document) == [*plain, "ablation"]
    without = document["ablation"]
    assert [row["family"] for row in without["families"]] == [family.name for family in FAMILIES]
    assert (without["answers"], without["draws"], without["folds"]) == (24, 3, 5)
    for row in without["families"]:
        for name, difference in row["differences"].items():
            whole = without["all"][name]
            assert difference == (None if whole is None else pytest.approx(row[name] - whole))
    with open_store(f"sqlite:///{store}") as services:
        assert all("ablation" not in stored.document for stored in list_benchmarks(services.db))


@pytest.mark.usefixtures("quick")
def test_the_table_says_what_was_done_and_what_it_does_not_say(faithview: Command, labelled: Path) -> None:
    done = faithview("bench", labelled, "--ablate")
    assert (done.status, done.err) == (0, "")
    # A table's title is wrapped to the table.
    assert "labelled.jsonl: 24 answers, 24 claims, 24 with a known label" in " ".join(done.out.split())
    lines = [line.split() for line in done.out.splitlines()]
    assert all(any(line[:1] == [family.name] for line in lines) for family in FAMILIES)
    assert "in 5 folds by document" in done.out
    assert "The table does not show how much a family adds on other texts" in done.out


def test_a_judge_without_families_is_refused_before_anything_is_judged(
    faithview: Command, labelled: Path, store: Path
) -> None:
    done = faithview("bench", labelled, "--ablate", "--judge", "openai:gpt-test")
    assert done.status == 2
    assert "leave --judge out" in done.err
    assert not store.exists()


def test_too_few_labels_write_nothing(faithview: Command, labelled: Path, store: Path) -> None:
    done = faithview("bench", labelled, "--ablate")
    assert done.status == 2
    assert "a fit needs at least 50 of each" in done.err
    assert not store.exists()
