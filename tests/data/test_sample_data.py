"""The bundled sample data is what its sources say, and holds together."""

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from datetime import date, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
RUNS = ("2026-w42", "2026-w43", "2026-w44", "2026-w45", "2026-w46")
KB_OF = dict(zip(RUNS, ("2026-09", "2026-10", "2026-10", "2026-11", "2026-11"), strict=True))
SEGMENTS = {
    "Billing": 15,
    "Accounts and roles": 15,
    "Inboxes": 15,
    "Automation": 14,
    "Reporting": 13,
    "Integrations": 14,
    "Security": 14,
    "Handovers": 20,
}
ERROR_TYPES = {"fabrication", "contradiction", "extrapolation", "conflation"}


def _load_builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("faithview_sample_data_build", DATA / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module


build = _load_builder()


def read_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").split("\n") if line]


def test_rebuilding_gives_the_committed_bytes() -> None:
    rebuilt = build.build(DATA / "source")
    assert [name for name, content in rebuilt.items() if (DATA / name).read_bytes() != content] == []


@pytest.mark.process
def test_script_writes_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    command = [sys.executable, str(DATA / "build.py"), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": "12345"})
    written = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*.json*")}
    assert written == {name: (DATA / name).read_bytes() for name in build.build(DATA / "source")}


def test_no_generated_file_is_left_over_from_an_earlier_build() -> None:
    committed = {path.relative_to(DATA).as_posix() for path in DATA.rglob("*.json*")}
    assert committed == set(build.build(DATA / "source"))


def test_data_stays_under_three_megabytes() -> None:
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file() and path.suffix != ".pyc") < 3_000_000


@pytest.mark.parametrize(
    ("version", "articles"), [("2026-09", 53), ("2026-10", 61), ("2026-11", 61)], ids=lambda value: str(value)
)
def test_knowledge_base_has_its_articles_in_paragraphs(version: str, articles: int) -> None:
    chunks = read_lines(f"kb/kb-{version}.jsonl")
    ids = [chunk["id"] for chunk in chunks]
    assert len(ids) == len(set(ids))
    assert len({chunk["article_id"] for chunk in chunks}) == articles
    assert all(chunk["id"].startswith(f"{chunk['article_id']}-") for chunk in chunks)
    assert [chunk["id"] for chunk in chunks if not 40 <= len(chunk["text"].split()) <= 120] == []
    assert {chunk["kb_version"] for chunk in chunks} == {version}


def test_update_adds_the_articles_on_handovers_and_the_fix_changes_only_those_and_transfers() -> None:
    texts = {v: {c["id"]: c["text"] for c in read_lines(f"kb/kb-{v}.jsonl")} for v in ("2026-09", "2026-10", "2026-11")}
    added = texts["2026-10"].keys() - texts["2026-09"].keys()
    assert {chunk_id[:6] for chunk_id in added} == {f"kb-{number:03}" for number in range(54, 62)}
    assert {chunk_id: texts["2026-10"][chunk_id] for chunk_id in texts["2026-09"]} == texts["2026-09"]
    changed = {i for i in texts["2026-10"] | texts["2026-11"] if texts["2026-10"].get(i) != texts["2026-11"].get(i)}
    assert {chunk_id[:6] for chunk_id in changed} == {f"kb-{number:03}" for number in range(52, 62)}


@pytest.mark.parametrize("name", RUNS)
def test_run_answers_the_same_120_questions_in_eight_segments(name: str) -> None:
    rows = read_lines(f"runs/{name}.jsonl")
    assert Counter(row["segment"] for row in rows) == SEGMENTS
    assert len({row["id"] for row in rows}) == 120
    assert [(row["id"], row["question"]) for row in rows] == [
        (row["id"], row["question"]) for row in read_lines(f"runs/{RUNS[0]}.jsonl")
    ]
    assert all(row["answer"].strip() and row["reference"].strip() for row in rows)


@pytest.mark.parametrize("name", RUNS)
def test_every_retrieved_chunk_stands_verbatim_in_the_runs_knowledge_base(name: str) -> None:
    version = KB_OF[name]
    kb = {chunk["id"]: chunk for chunk in read_lines(f"kb/kb-{version}.jsonl")}
    for row in read_lines(f"runs/{name}.jsonl"):
        assert [context["rank"] for context in row["contexts"]] == [1, 2, 3, 4]
        scores = [context["score"] for context in row["contexts"]]
        assert scores == sorted(scores, reverse=True)
        for context in row["contexts"]:
            source = kb[context["id"]]
            assert context["text"] == source["text"]
            assert context["metadata"] == {
                "title": source["title"],
                "section": source["section"],
                "kb_version": version,
            }


@pytest.mark.parametrize("name", RUNS)
def test_timestamps_have_a_zone_and_lie_on_the_runs_monday(name: str) -> None:
    times = [datetime.fromisoformat(row["timestamp"]) for row in read_lines(f"runs/{name}.jsonl")]
    year, week = name.split("-w")
    monday = date.fromisocalendar(int(year), int(week), 1)
    assert all(time.utcoffset() is not None for time in times)
    assert {time.date() for time in times} == {monday}
    assert times == sorted(set(times))


def test_labels_point_into_the_answers() -> None:
    answers = {(name, row["id"]): row["answer"] for name in RUNS for row in read_lines(f"runs/{name}.jsonl")}
    labels = read_lines("labels.jsonl")
    for label in labels:
        assert answers[label["run"], label["id"]][label["start"] : label["end"]] == label["text"]
        assert label["text"].strip() == label["text"] != ""
        assert label["type"] in ERROR_TYPES
    assert {label["type"] for label in labels} == ERROR_TYPES


def test_most_answers_on_handovers_are_wrong_in_the_second_and_third_week_and_hardly_any_otherwise() -> None:
    wrong = {name: set[str]() for name in RUNS}
    for label in read_lines("labels.jsonl"):
        if label["segment"] == "Handovers":
            wrong[label["run"]].add(label["id"])
    assert {name: len(ids) for name, ids in wrong.items()} == {
        "2026-w42": 1,
        "2026-w43": 17,
        "2026-w44": 17,
        "2026-w45": 2,
        "2026-w46": 1,
    }


def test_the_other_segments_have_an_ordinary_share_of_wrong_answers_every_week() -> None:
    wrong = {name: set[str]() for name in RUNS}
    for label in read_lines("labels.jsonl"):
        if label["segment"] != "Handovers":
            wrong[label["run"]].add(label["id"])
    assert all(0.10 <= len(ids) / 100 <= 0.20 for ids in wrong.values()), wrong


def test_labels_are_not_in_the_runs() -> None:
    allowed = {"id", "question", "answer", "contexts", "segment", "reference", "timestamp"}
    for name in RUNS:
        for row in read_lines(f"runs/{name}.jsonl"):
            assert row.keys() == allowed
            assert "{{" not in row["answer"]


def test_benchmark_file_has_both_labels_with_spans_where_the_answer_is_wrong() -> None:
    rows = read_lines("bench.jsonl")
    assert len(rows) == len({row["id"] for row in rows}) == len({row["answer"] for row in rows}) == 120
    assert 40 <= sum(row["label"] == 0 for row in rows) <= 80
    for row in rows:
        assert bool(row["spans"]) == (row["label"] == 0)
        assert row["claim"] is None
        assert row["task"] == "QA"
        assert len(row["chunks"]) == 4
        for span in row["spans"]:
            assert 0 <= span["start"] < span["end"] <= len(row["answer"])
            assert span["type"] in ERROR_TYPES


def test_examples_are_four_named_pairs_with_chunks() -> None:
    examples = json.loads((DATA / "examples.json").read_text(encoding="utf-8"))
    assert len(examples) == 4
    for example in examples:
        assert example.keys() == {"name", "promise", "question", "answer", "chunks"}
        assert all(chunk.keys() == {"id", "text"} for chunk in example["chunks"])


def test_manifest_lists_the_runs_in_order_with_the_events_between_them() -> None:
    demo = json.loads((DATA / "demo.json").read_text(encoding="utf-8"))
    assert [(run["name"], run["kb_version"]) for run in demo["runs"]] == list(KB_OF.items())
    times = {run["name"]: datetime.fromisoformat(run["as_of"]) for run in demo["runs"]}
    update, fix = (datetime.fromisoformat(event["at"]) for event in demo["events"])
    assert times["2026-w42"] < update < times["2026-w43"]
    assert times["2026-w44"] < fix < times["2026-w45"]
    assert all((DATA / run["file"]).is_file() for run in demo["runs"])


def test_an_error_that_does_not_stand_in_the_answer_is_refused() -> None:
    question = {
        "id": "q",
        "a": "It costs €9.",
        "errors": [{"weeks": [1], "type": "contradiction", "from": "€10", "to": "€12"}],
    }
    with pytest.raises(ValueError, match="q: '€10' stands 0 times in the answer; it must stand once"):
        build.compose(question, {"number": 1, "phase": "before"})


def test_wrong_parts_keep_their_place_when_an_earlier_part_grows() -> None:
    question = {
        "id": "q",
        "a": "It takes 3 days and costs €9.",
        "errors": [
            {"weeks": [1], "type": "contradiction", "from": "€9", "to": "€12"},
            {"weeks": [1], "type": "fabrication", "from": "3 days", "to": "three whole weeks"},
        ],
    }
    answer = build.compose(question, {"number": 1, "phase": "before"})
    assert answer.text == "It takes three whole weeks and costs €12."
    assert [answer.text[part.start : part.end] for part in answer.wrong] == ["three whole weeks", "€12"]
