"""`faithview run rename`, `note`, `archive`, `restore` and `rejudge`."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command, Terminal


def _names(faithview: Command, *options: str) -> list[str]:
    return [run["name"] for run in faithview("runs", "--json", *options).document["runs"]]


def test_a_run_is_renamed_and_noted_on(faithview: Command, dataset: Path) -> None:
    run_id = faithview("evaluate", dataset, "--json").document["run_id"]
    done = faithview("rename", "answers", "October audit")
    assert (done.status, done.out, done.err) == (0, "", f"Run {run_id} is named 'October audit'.\n")
    assert faithview("note", run_id, "Before the\nupdate").status == 0
    assert faithview("show", run_id, "--json").document["note"] == "Before the\nupdate"
    assert "note          Before the update" in faithview("show", run_id).out
    assert faithview("note", run_id, "").err == f"Run {run_id} ('October audit') has no note.\n"
    assert faithview("show", run_id, "--json").document["note"] == ""
    faithview("evaluate", dataset)
    taken = faithview("rename", "answers", "October audit")
    assert (taken.status, taken.err) == (
        2,
        "faithview: Another run is named 'October audit'; choose another name.\n",
    )


def test_an_archived_run_is_listed_on_demand_and_comes_back(faithview: Command, dataset: Path) -> None:
    faithview("evaluate", dataset, "--name", "a")
    faithview("evaluate", dataset, "--name", "b")
    assert "faithview run list --archived" in faithview("archive", "a").err
    assert (_names(faithview), _names(faithview, "--archived")) == (["b"], ["a"])
    document = faithview("show", "a", "--json").document
    assert document["archived_at"] is not None
    assert "series        answers, archived" in faithview("show", "a").out
    assert faithview("restore", "a").err.endswith("('a') is listed again.\n")
    assert sorted(_names(faithview)) == ["a", "b"]
    assert faithview("archive", "nobody").status == 2


def test_delete_says_what_goes(faithview: Command, dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faithview("evaluate", dataset)
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    assert "('answers') with 3 answers and " in faithview("delete", "answers").err


def test_the_answers_of_a_run_are_judged_again(faithview: Command, dataset: Path) -> None:
    first = faithview("evaluate", dataset, "--judge", "lexical", "--series", "Desk", "--json").document
    estimate = faithview("rejudge", "answers", "--judge", "lexical", "--estimate", "--json").document
    assert estimate["answers"] == first["rows"]
    assert _names(faithview) == ["answers"]
    again = faithview("rejudge", "answers", "--judge", "embedded", "--json").document
    assert (again["name"], again["series"], again["rows"]) == ("answers (embedded)", "Desk", first["rows"])
    assert again["as_of"] == first["as_of"]
    assert again["fingerprint"] != first["fingerprint"]
    assert faithview("rejudge", "nobody", "--judge", "lexical").status == 2


def test_a_run_judged_again_can_join_another_series_and_has_gates(faithview: Command, dataset: Path) -> None:
    faithview("evaluate", dataset, "--judge", "lexical")
    again = ("rejudge", "answers", "--judge", "lexical", "--json")
    assert faithview(*again, "--name", "b", "--series", " Other  desk ").document["series"] == "Other desk"
    failed = faithview(*again, "--name", "c", "--fail-under", "1", "--fail-on-regression", "--baseline", "answers")
    assert failed.status == 1
    assert "is below 1.0" in failed.err
    assert "No regression since answers" in failed.err
    refused = faithview(*again, "--name", "d", "--fail-on-regression", "--baseline", "nobody")
    assert refused.status == 2
    assert "d" not in _names(faithview)
