"""`faithview retention`: what would go, what went, and what a script gets."""

from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests.cli.conftest import Command, Terminal


def _make_old(store: Path, name: str) -> None:
    engine = create_engine(f"sqlite:///{store}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE run SET created_at = '2020-01-01 00:00:00' WHERE name = :name"), {"name": name})
    engine.dispose()


@pytest.fixture
def old_and_new(faithview: Command, dataset: Path, store: Path) -> None:
    faithview("evaluate", dataset, "--name", "old")
    faithview("evaluate", dataset, "--name", "new")
    _make_old(store, "old")


def _names(faithview: Command) -> list[str]:
    return [run["name"] for run in faithview("runs", "--json").document["runs"]]


@pytest.mark.usefixtures("old_and_new")
def test_a_dry_run_says_what_would_go_and_deletes_nothing(faithview: Command) -> None:
    done = faithview("retention", "--keep", "90d", "--dry-run")
    assert (done.status, "old" in done.out, done.err) == (0, True, "Would delete 1 run with 3 answers.\n")
    assert sorted(_names(faithview)) == ["new", "old"]
    document = faithview("retention", "--keep", "90d", "--dry-run", "--json").document
    assert (document["deleted"], [run["name"] for run in document["runs"]]) == (False, ["old"])


@pytest.mark.usefixtures("old_and_new")
def test_old_runs_are_deleted_once_somebody_agrees(faithview: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    assert "Delete 1 run with 3 answers for good?" in faithview("retention", "--keep", "90d").err
    assert sorted(_names(faithview)) == ["new", "old"]
    assert faithview("retention", "--keep", "90d", "--yes").err == "Deleted 1 run with 3 answers.\n"
    assert _names(faithview) == ["new"]
    assert faithview("retention", "--keep", "90d").err == "Deleted nothing.\n"


@pytest.mark.usefixtures("old_and_new")
def test_scores_stay_on_demand(faithview: Command, tmp_path: Path) -> None:
    before = faithview("show", "old", "--json").document
    document = faithview("retention", "--keep", "90d", "--keep-scores", "--yes", "--json").document
    assert (document["deleted"], document["keep_scores"], len(document["runs"])) == (True, True, 1)
    after = faithview("show", "old", "--json").document
    assert (after["faithfulness"], after["faithfulness_ci"]) == (before["faithfulness"], before["faithfulness_ci"])
    assert (before["texts_deleted_at"], after["texts_deleted_at"] is None) == (None, False)
    assert "deleted on" in faithview("show", "old").out
    refused = faithview("rejudge", "old", "--judge", "lexical")
    assert (refused.status, "were deleted" in refused.err) == (2, True)
    assert faithview("export", "old", "--format", "jsonl", "-o", tmp_path / "old.jsonl").status == 0
    refused = faithview("compare", "old", "new")
    assert (refused.status, "cannot be compared" in refused.err) == (2, True)
    assert faithview("report", "old", "-o", tmp_path / "report.html").status == 0


def test_what_cannot_be_read_is_refused(faithview: Command) -> None:
    for arguments in (("--keep", "soon"), ("--keep", "0d"), ("--keep", "90d", "--json"), ()):
        assert faithview("retention", *arguments).status == 2


@pytest.mark.usefixtures("old_and_new")
def test_a_watch_keeps_to_the_rule_of_its_setting(faithview: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAITHVIEW_RETENTION", "90 days")
    refused = faithview("watch", "--once", "--judge", "lexical")
    assert (refused.status, "cannot be read" in refused.err) == (2, True)
    monkeypatch.setenv("FAITHVIEW_RETENTION", "90d")
    done = faithview("watch", "--once", "--judge", "lexical", "--json")
    assert (done.status, len(done.document["runs_deleted"])) == (0, 1)
    assert "deleted 1 run with 3 answers" in done.err
    assert _names(faithview) == ["new"]
