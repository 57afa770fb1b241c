"""`faithview event`."""

from pathlib import Path

from tests.cli.conftest import Command


def test_events_are_added_listed_and_deleted(faithview: Command, dataset: Path) -> None:
    run = faithview("evaluate", dataset, "--json").document
    label, at = "Update [bold]2[/bold]", "2020-01-02T03:04:05+01:00"
    added = faithview("event", "add", label, "--at", at, "--kb-version", "v2")
    assert (added.status, added.err) == (0, "")
    assert added.out == "Added event 1, 2 Jan 2020, 02:04 UTC: Update [bold]2[/bold]\n"
    (event,) = faithview("event", "list", "--json").document["events"]
    assert event == {
        "event_id": 1,
        "at": "2020-01-02T02:04:05Z",
        "kind": "knowledge_base",
        "label": "Update [bold]2[/bold]",
        "kb_version": "v2",
        "is_detected": False,
        "before_run_id": None,
        "after_run_id": run["run_id"],
    }
    assert "Update [bold]2[/bold]" in faithview("event", "list").out
    assert faithview("event", "delete", 1, "--yes").err == "Deleted event 1.\n"
    assert faithview("event", "list", "--json").document == {"events": []}


def test_a_time_without_a_zone_is_read_as_utc_and_said_to_be(faithview: Command) -> None:
    done = faithview("event", "add", "x", "--at", "2020-01-02 03:04", "--kind", "model", "--json")
    assert (done.document["at"], done.document["kind"]) == ("2020-01-02T03:04:00Z", "model")
    assert done.err == "note: '2020-01-02 03:04' has no time zone and was read as UTC.\n"


def test_bad_events_are_one_clear_line_and_leave_no_store(faithview: Command, store: Path) -> None:
    for arguments, expected in (
        (("add", "x", "--at", "soon"), "The time 'soon' cannot be read"),
        (
            ("add", "x", "--at", "0001-01-01"),
            "'0001-01-01' cannot be read, is ambiguous or is outside the years",
        ),
        (("add", "x"), "--at"),
        (("add", "x", "--at", "2020-01-02", "--kind", "weather"), "weather"),
        (("delete", "99999999999999999999"), "ID"),
    ):
        done = faithview("event", *arguments)
        assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1), done
        assert expected in done.err
        assert not store.exists()
    done = faithview("event", "delete", 7)
    assert (done.status, done.err) == (2, "faithview: There is no event 7; `faithview event list` lists them.\n")
