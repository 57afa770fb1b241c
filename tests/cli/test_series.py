"""`faithview series`, and the series of a run in `evaluate`, `show` and `runs`."""

import json
from pathlib import Path

from tests.cli.conftest import Command

_OTHER = '{"question": "Which team won?", "answer": "The red one.", "contexts": ["The red team won."]}\n'


def _series(faithview: Command) -> dict[str, int]:
    return {s["series"]: s["runs"] for s in faithview("series", "list", "--json").document["series"]}


def test_runs_over_the_same_questions_are_one_series(faithview: Command, dataset: Path, tmp_path: Path) -> None:
    other = tmp_path / "sport.jsonl"
    other.write_text(_OTHER, encoding="utf-8")
    assert faithview("evaluate", dataset, "--name", "desk w1", "--json").document["series"] == "desk"
    assert faithview("evaluate", other, "--json").document["series"] == "sport"
    assert faithview("evaluate", dataset, "--name", "later", "--repeat", "2", "--json").document["series"] == "desk"
    assert _series(faithview) == {"desk": 3, "sport": 1}
    assert "sport" in faithview("series", "list").out
    listed = faithview("runs", "--series", "desk", "--json").document["runs"]
    assert {run["series"] for run in listed} == {"desk"}
    assert len(listed) == 3
    assert "series        sport" in faithview("show", "sport").out


def test_a_series_can_be_named_and_edited(faithview: Command, dataset: Path) -> None:
    faithview("evaluate", dataset, "--name", "a")
    done = faithview("evaluate", dataset, "--name", "b", "--series", "  Support\n bot ", "--json")
    assert done.document["series"] == "Support bot"
    assert faithview("series", "move", "a", "Support bot").err.endswith("('a') is in the series 'Support bot'.\n")
    assert _series(faithview) == {"Support bot": 2}
    assert (
        faithview("series", "rename", "Support bot", "Bot").err == "2 runs of 'Support bot' are in the series 'Bot'.\n"
    )
    assert _series(faithview) == {"Bot": 2}


def test_a_column_of_the_file_names_the_series(faithview: Command, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text(
        "answer,contexts,series\nSo it is.,So it is.,North\nSo it was.,So it was.,North\n", encoding="utf-8"
    )
    assert faithview("evaluate", file, "--json").document["series"] == "North"
    file.write_text("answer,contexts,series\nAs it is.,As it is.,A\nAs it was.,As it was.,B\n", encoding="utf-8")
    assert faithview("evaluate", file, "--json").document["series"] == "rows"


def test_what_cannot_be_done_is_said_in_one_line(faithview: Command, dataset: Path, store: Path) -> None:
    done = faithview("evaluate", dataset, "--series", " ")
    assert (done.status, done.err) == (2, "faithview: A series' name needs 1 to 200 characters, not 0.\n")
    assert not store.exists()
    faithview("evaluate", dataset, "--name", "a")
    for arguments, words in [
        (("move", "nobody", "B"), "There is no run 'nobody'"),
        (("move", "a", "x" * 201), "A series' name needs 1 to 200 characters, not 201."),
        (("rename", "nobody", "B"), "There is no series 'nobody'; `faithview series list` lists them."),
        (("rename", "Checked answers", "B"), "'Checked answers' cannot be renamed"),
    ]:
        done = faithview("series", *arguments)
        assert (done.status, done.out) == (2, "")
        assert words in done.err
    assert _series(faithview) == {"a": 1}


def test_events_are_those_of_one_series(faithview: Command, dataset: Path, tmp_path: Path) -> None:
    other = tmp_path / "sport.jsonl"
    other.write_text(_OTHER, encoding="utf-8")
    faithview("evaluate", dataset, "--name", "desk", "--kb-version", "v1")
    faithview("evaluate", other, "--kb-version", "v2")
    assert faithview("event", "list", "--json").document["events"] == []
    faithview("evaluate", dataset, "--name", "desk 2", "--kb-version", "v3")
    (event,) = faithview("event", "list", "--series", "desk", "--json").document["events"]
    assert (event["kind"], event["kb_version"]) == ("knowledge_base", "v3")


def test_evaluate_says_why_a_file_joined_a_series_or_did_not(faithview: Command, tmp_path: Path) -> None:
    def rows(name: str, key: str) -> Path:
        file = tmp_path / name
        lines = [
            {"id": f"{key}{n}", "question": f"What is {n}?", "answer": f"It is {n}.", "contexts": [f"It is {n}."]}
            for n in range(4)
        ]
        file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        return file

    def judge(file: Path) -> str:
        return faithview("evaluate", file, "--judge", "lexical", "--json").err

    assert "series" not in judge(rows("help.jsonl", "h"))
    assert "Added to the series 'help': 100% of the ids are also in its newest run." in judge(rows("later.jsonl", "h"))
    other = judge(rows("bench.jsonl", "b"))
    assert "Started the series 'bench': 100% of the questions are also in 'help', but the ids are not." in other
    assert "`faithview series move " in other
