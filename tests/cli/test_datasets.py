"""`faithview datasets`, `--dataset`, and held-out rows in `fit` and `bench`."""

import json
from pathlib import Path

from tests.cli.conftest import Command


def test_a_data_set_from_its_first_run_to_its_export(faithview: Command, dataset: Path, tmp_path: Path) -> None:
    first = faithview("evaluate", dataset, "--name", "desk", "--dataset", " Help  desk", "--json")
    assert first.document["dataset"]["name"] == "Help desk"
    assert "judged" not in first.err
    again = faithview("evaluate", dataset, "--name", "again", "--judge", "lexical", "--json")
    assert again.document["dataset"] == first.document["dataset"]
    run_id = first.document["run_id"]
    assert f"note: these rows were judged in run {run_id} ('desk') by embedded on " in again.err
    (listed,) = faithview("datasets", "list", "--json").document["datasets"]
    assert (listed["name"], listed["runs"], len(listed["versions"])) == ("Help desk", 2, 1)
    assert "Help desk" in faithview("datasets", "list").out

    done = faithview("datasets", "tag", "Help desk", "hard", "--row", "a")
    assert done.err == "1 question of 1 got the tag 'hard'.\n"
    held = faithview("datasets", "hold-out", "Help desk", "--tag", "hard", "--json").document
    assert (held["added_questions"], held["held_out_rows"], held["rows"]) == (1, 1, 3)
    shown = faithview("datasets", "show", "Help desk", "--part", "held-out", "--json").document
    assert [(row["key"], row["dataset_tags"]) for row in shown["rows"]] == [("a", ["hard"])]
    assert [run["run_id"] for run in shown["shown"]["runs"]] == [again.document["run_id"], run_id]
    assert "3 rows on 3 questions, 1 row on 1 question held out." in faithview("datasets", "show", "Help desk").out

    rest = tmp_path / "rest.jsonl"
    faithview("datasets", "export", "Help desk", "--part", "rest", "-o", rest)
    assert len(rest.read_text(encoding="utf-8").splitlines()) == 2
    newer = faithview("evaluate", rest, "--name", "rest", "--json").document["dataset"]
    assert (newer["name"], newer["version"]) == ("Help desk", 2)
    assert "1 row removed, 2 kept" in faithview("datasets", "show", "Help desk").out
    assert faithview("datasets", "rename", "Help desk", "Desk").status == 0
    assert faithview("datasets", "hold-out", "Desk", "--all", "--data-version", "1", "--release").err.startswith(
        "1 question released. Version 1: 3 rows on 3 questions, none held out."
    )


def test_held_out_rows_are_left_out_of_fits_and_judged_alone_on_request(
    faithview: Command, dataset: Path, tmp_path: Path
) -> None:
    labelled = tmp_path / "labelled.jsonl"
    rows = [json.loads(line) for line in dataset.read_text(encoding="utf-8").splitlines()]
    documents = [
        {"question": r["question"], "answer": r["answer"], "chunks": r["contexts"], "label": 1, "spans": []}
        for r in rows
    ]
    labelled.write_text("".join(f"{json.dumps(d)}\n" for d in documents), encoding="utf-8")
    none = faithview("bench", labelled, "--judge", "lexical", "--held-out")
    assert (none.status, "No row of labelled.jsonl is held out" in none.err) == (2, True)
    faithview("evaluate", dataset, "--name", "desk", "--judge", "lexical")
    faithview("datasets", "hold-out", "desk", "--row", "a")
    alone = faithview("bench", labelled, "--judge", "lexical", "--held-out", "--json")
    assert (alone.document["rows"], "left out: 2 rows not held out" in alone.err) == (1, True)
    assert faithview("bench", labelled, "--judge", "lexical", "--json").document["rows"] == 3
    unknown = faithview("fit", labelled, "--format", "ragtrut", "-o", tmp_path / "model.json")
    assert (unknown.status, "Did you mean 'ragtruth'?" in unknown.err) == (2, True), unknown.err
    # Too few claims are left to fit, which is said after what was left out.
    fitted = faithview("fit", labelled, "--format", "labelled", "-o", tmp_path / "model.json")
    assert fitted.status == 2
    assert fitted.err.startswith("labelled.jsonl: left out: 1 row held out in a data set\n")


def test_what_cannot_be_done_is_said_in_one_line(faithview: Command, dataset: Path, store: Path) -> None:
    assert faithview("evaluate", dataset, "--dataset", " ").status == 2
    assert not store.exists()
    faithview("evaluate", dataset, "--name", "desk", "--judge", "lexical")
    for arguments, words in [
        (("show", "nope"), "There is no data set 'nope'"),
        (("show", "desk", "--data-version", "2"), "has no version 2; it has 1."),
        (("tag", "desk", "x"), "Choose rows with"),
        (("hold-out", "desk", "--share", "2"), "must be more than 0 and less than 1"),
        (("hold-out", "desk", "--share", "0.5", "--all"), "leave the other choices out"),
        (("hold-out", "desk", "--row", "zz"), "has no row 'zz'"),
        (("delete", "desk", "--yes"), "delete them first"),
    ]:
        done = faithview("datasets", *arguments)
        assert (done.status, words in done.err, done.err.count("\n")) == (2, True, 1), done.err
