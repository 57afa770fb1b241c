"""`--dataset`: the data set of a run."""

from pathlib import Path

from tests.cli.conftest import Command


def test_runs_over_the_same_rows_are_over_one_data_set(faithview: Command, dataset: Path) -> None:
    first = faithview("evaluate", dataset, "--name", "desk", "--dataset", " Help  desk", "--json")
    assert first.document["dataset"]["name"] == "Help desk"
    assert "judged" not in first.err
    again = faithview("evaluate", dataset, "--name", "again", "--judge", "lexical", "--json")
    assert again.document["dataset"] == first.document["dataset"]
    run_id = first.document["run_id"]
    assert f"note: these rows were judged in run {run_id} ('desk') by embedded on " in again.err


def test_a_data_set_needs_a_name(faithview: Command, dataset: Path, store: Path) -> None:
    assert faithview("evaluate", dataset, "--dataset", " ").status == 2
    assert not store.exists()
