"""`faithview alert`, and what becomes of a run that breaks a rule."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import hook as hooks
from tests.cli.conftest import Command
from tests.hook import Hook


@pytest.fixture
def hook() -> Iterator[Hook]:
    with hooks.listening() as listening:
        yield listening


def test_rules_are_made_listed_and_deleted(faithview: Command) -> None:
    assert faithview("alert", "add", "--below", "0.8").out == "Rule 1: faithfulness below 0.8.\n"
    assert faithview("alert", "add", "--fell", "0.05", "--segment", "[b]x").status == 0
    made = faithview("alert", "add", "--coverage", "0.9", "--json").document
    assert made == {"rule_id": 3, "kind": "coverage", "threshold": 0.9, "segment": None}
    assert [rule["kind"] for rule in faithview("alert", "list", "--json").document["rules"]] == [
        "below", "fell", "coverage",
    ]  # fmt: skip
    assert "fell significantly by more than 0.05 in segment [b]x" in faithview("alert", "list").out
    assert faithview("alert", "delete", 1, "--yes").err == "Deleted alert rule 1.\n"
    assert [rule["rule_id"] for rule in faithview("alert", "list", "--json").document["rules"]] == [2, 3]


def test_bad_rules_are_one_clear_line_and_leave_no_store(faithview: Command, store: Path) -> None:
    for arguments, expected in (
        ((), "exactly one of --below, --fell and --coverage"),
        (("--below", "0.8", "--fell", "0.1"), "exactly one"),
        (("--below", "80"), "more than 0 and at most 1, not 80.0"),
        (("--below", "0.8", "--segment", ""), "The segment '' is empty"),
    ):
        done = faithview("alert", "add", *arguments)
        assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1), done
        assert expected in done.err
        assert not store.exists()
    assert faithview("alert", "delete", 9).err.startswith("faithview: There is no alert rule 9")
    assert faithview("alert", "acknowledge", 9).err.startswith("faithview: There is no alert 9")


def test_a_run_that_breaks_a_rule_says_so_and_stays_open_until_acknowledged(faithview: Command, dataset: Path) -> None:
    faithview("alert", "add", "--below", "0.9")
    done = faithview("evaluate", dataset, "--json")
    assert done.status == 0
    assert done.err == "alert: Faithfulness of answers is 0.5000, below 0.9.\n"
    (alert,) = faithview("alert", "list", "--json").document["open"]
    assert (alert["run_id"], alert["kind"], alert["value"]) == (done.document["run_id"], "below", 0.5)
    assert "Faithfulness of answers is 0.5000" in faithview("alert", "list").out
    assert faithview("alert", "acknowledge", alert["alert_id"]).status == 0
    assert faithview("alert", "list", "--json").document["open"] == []


def test_the_webhook_s_address_is_nowhere(
    faithview: Command,
    dataset: Path,
    store: Path,
    hook: Hook,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("FAITHVIEW_WEBHOOK_URL", hook.url)
    monkeypatch.setenv("OPENAI_API_KEY", f"sk-{hooks.SECRET}")
    faithview("alert", "add", "--below", "0.9")
    said = []
    for status in (200, 500):
        hook.status = status
        for arguments in (("evaluate", dataset, "--json"), ("alert", "list"), ("alert", "list", "--json"), ("runs",)):
            done = faithview(*arguments)
            assert done.status == 0
            said += [done.out, done.err]
    assert len(hook.documents) == 2
    assert "The webhook answered with status 500." in "".join(said)
    assert hooks.SECRET not in "".join(said) + caplog.text + str(hook.documents)
    files = [path for path in store.parent.iterdir() if path.is_file()]
    assert store in files
    assert [path.name for path in files if hooks.SECRET.encode() in path.read_bytes()] == []
