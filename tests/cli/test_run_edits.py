"""`faithview run rename` and `rejudge`."""

from pathlib import Path

from tests.cli.conftest import Command


def _names(faithview: Command, *options: str) -> list[str]:
    return [run["name"] for run in faithview("run", "list", "--json", *options).document["runs"]]


def test_a_run_is_renamed(faithview: Command, dataset: Path) -> None:
    run_id = faithview("evaluate", dataset, "--json").document["run_id"]
    done = faithview("run", "rename", "answers", "October audit")
    assert (done.status, done.out, done.err) == (0, "", f"Run {run_id} is named 'October audit'.\n")
    faithview("evaluate", dataset)
    taken = faithview("run", "rename", "answers", "October audit")
    assert (taken.status, taken.err) == (
        2,
        "faithview: Another run is named 'October audit'; choose another name.\n",
    )


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
