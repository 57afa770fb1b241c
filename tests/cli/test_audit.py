"""`faithview audit`: who did what, as a table and as a document."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command


def test_what_was_done_at_the_command_line_is_listed(faithview: Command, dataset: Path) -> None:
    faithview("evaluate", dataset, "--name", "a")
    faithview("rename", "a", "b")
    listed = faithview("audit", "--json").document["entries"]
    assert [entry["action"] for entry in listed] == ["run.renamed", "run.started"]
    assert {entry["who"].partition(":")[0] for entry in listed} == {"command line"}
    assert (listed[0]["run_name"], listed[0]["detail"], listed[0]["kind"]) == ("a", "b", "run")
    assert "Renamed a run" in faithview("audit").out


def test_the_list_is_narrowed(faithview: Command, dataset: Path) -> None:
    faithview("evaluate", dataset, "--name", "a")
    faithview("event", "add", "New prices", "--at", "2026-01-02")

    def actions(*options: str) -> list[str]:
        return [entry["action"] for entry in faithview("audit", "--json", *options).document["entries"]]

    assert (
        actions("--limit", "1")
        == actions("--search", "PRICES")
        == actions("--find", "PRICES")
        == actions("--kind", "trend")
        == ["trend.event_added"]
    )
    assert actions("--who", "nobody") == actions("--since", "2190-01-01") == []
    assert actions("--since", "1h") == actions("--since", "2020-01-01") == ["trend.event_added", "run.started"]


@pytest.mark.parametrize("since", ["yesterday", "7 months", "", "-1d"])
def test_a_time_that_cannot_be_read_is_refused(faithview: Command, since: str) -> None:
    refused = faithview("audit", "--since", since)
    assert (refused.status, refused.out) == (2, "")
    assert "cannot be read" in refused.err
