"""Names of commands, old and new; what deletes asks; examples and groups in the help; texts from files and a pipe."""

import io
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from faithview.cli import exit_codes
from faithview.cli.help_layout import EXAMPLES
from faithview.cli.main import COMMANDS, OLD_NAMES, app
from tests.cli.conftest import Command, Terminal
from tests.dashboard import ROOT

_LONGEST_EXAMPLE = 58
RIGHT = "An invitation is valid for 7 days."


def _command(words: list[str]) -> Any:
    command: Any = typer.main.get_command(app)
    while words and hasattr(command, "commands") and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    return command


def _all_paths() -> list[str]:
    paths = []
    for name, late in COMMANDS.items():
        parts = getattr(late.load(name), "commands", None)
        paths += [name] if parts is None else [f"{name} {part}" for part in parts]
    return paths


@pytest.mark.parametrize("path", _all_paths())
def test_every_command_has_examples_that_it_understands(path: str) -> None:
    examples = EXAMPLES[path]
    assert len(examples) in (2, 3)
    for line in examples:
        assert len(line) <= _LONGEST_EXAMPLE
        words = shlex.split(re.split(r" [|<>]", line)[0])
        assert words.pop(0) == "faithview"
        command = _command(words)
        known = {name for parameter in command.params for name in parameter.opts + parameter.secondary_opts}
        assert {word for word in words if re.fullmatch(r"--?[a-z][\w-]*", word)} <= known, line
        assert line.startswith(f"faithview {path}")


def test_h_prints_the_help_with_examples_and_groups(faithview: Command) -> None:
    done = faithview("evaluate", "-h")
    assert (done.status, done.out) == (0, faithview("evaluate", "--help").out)
    titles = re.findall(r"^(\w[\w ]*):$", done.out, re.MULTILINE)
    assert titles == [
        *("Arguments", "Input", "Run", "Judge", "Speed", "Budget", "Gates", "Store and output", "Examples"),
    ]
    assert "faithview run list\n" in faithview("run", "-h").out


@pytest.mark.parametrize("old", OLD_NAMES)
def test_an_old_name_is_the_new_command_and_not_listed(faithview: Command, old: str) -> None:
    new = OLD_NAMES[old]
    help_of_old = faithview(old, "-h").out
    assert f"now `faithview {new}`" in " ".join(help_of_old.split())
    assert help_of_old.splitlines()[2] == faithview(*new.split(), "-h").out.splitlines()[2]
    assert not re.search(rf"^  {old} ", faithview("-h").out, re.MULTILINE)


def test_labels_without_a_command_still_exports(faithview: Command, dataset: Path) -> None:
    faithview("evaluate", dataset, "--judge", "lexical")
    new = faithview("labels", "export", "answers", "--json")
    assert new.document == {"labels": []}
    assert faithview("labels", "answers", "--json") == new == faithview("labels", "--json", "answers")


def test_completion_knows_commands(faithview: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "_FAITHVIEW_COMPLETE=complete_bash" in faithview("completion", "bash").out
    for name, value in {
        "_FAITHVIEW_COMPLETE": "complete_bash",
        "COMP_WORDS": "faithview run ",
        "COMP_CWORD": "2",
    }.items():
        monkeypatch.setenv(name, value)
    assert faithview().out.split() == ["list", "show", "rename", "note", "archive", "unarchive", "delete"]


@pytest.fixture
def filled(faithview: Command, dataset: Path, tmp_path: Path) -> Command:
    """One of each thing that can be deleted."""
    chunks = tmp_path / "chunks.jsonl"
    chunks.write_text('{"text": "Parking is free."}\n', encoding="utf-8")
    assert faithview("evaluate", dataset, "--judge", "lexical", "--save-mapping", "acme").status == 0
    faithview("kb", "add", "v1", chunks)
    faithview("event", "add", "Update", "--at", "2026-11-01T00:00Z")
    faithview("alert", "add", "--below", "0.5")
    return faithview


_DELETING = [
    ("event", ("event", "delete", 1), "1", "Update"),
    ("alert_rule", ("alert", "delete", 1), "1", "faithfulness below 0.5"),
    ("knowledge_base", ("kb", "delete", "v1"), "v1", "v1"),
    ("mapping", ("mappings", "delete", "acme"), "acme", "acme"),
    ("run", ("run", "delete", "answers"), None, "answers"),
]


def test_everything_that_deletes_asks(filled: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, words, number, name in _DELETING:
        refused = filled(*words)
        assert (refused.status, refused.out) == (2, "")
        assert "not a terminal; add --yes" in refused.err
        assert "--yes" in filled(*words, "--json").err
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", Terminal("n\n"))
            assert "Cancelled; nothing was changed." in filled(*words).err
        document = filled(*words, "--yes", "--json").document
        assert (document["kind"], document["name"]) == (kind, name)
        assert number in (None, document["id"])


def test_what_is_changed_is_printed_as_json(filled: Command, tmp_path: Path) -> None:
    shown = filled("run", "show", "answers", "--json").document["run_id"]
    for words in (("rename", shown, "b"), ("note", shown, "n"), ("archive", shown), ("unarchive", shown)):
        done = filled("run", *words, "--json")
        assert (done.document["run_id"], done.err) == (shown, "")
    assert filled("series", "move", "b", "other", "--json").document["series"] == "other"
    assert filled("series", "rename", "other", "more", "--json").document["name"] == "more"
    file = tmp_path / "b.jsonl"
    assert filled("export", "b", "-o", file, "--json").document == {"path": str(file), "rows": 3}
    assert filled("report", "b", "-o", tmp_path / "b.html", "--json").document["rows"] is None
    assert filled("db", "upgrade", "--json").document["copy_path"] is None
    backup = tmp_path / "backup.db"
    assert filled("db", "backup", backup, "--json").document["path"] == str(backup)
    assert filled("db", "restore", backup, "--json").document["is_current"]
    name = filled("datasets", "list", "--json").document["datasets"][0]["name"]
    assert filled("datasets", "tag", name, "hard", "--all", "--json").document["added_questions"] == 3
    assert filled("datasets", "rename", name, "d", "--json").document["old_name"] == name


def test_texts_come_from_files_and_a_pipe(faithview: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer, chunk, chunks = tmp_path / "a.txt", tmp_path / "c.txt", tmp_path / "chunks.jsonl"
    answer.write_text(f"{RIGHT}\n", encoding="utf-8")
    chunk.write_text(f"{RIGHT}\n", encoding="utf-8")
    chunks.write_text(f'{{"id": "k1", "text": "{RIGHT}"}}\n', encoding="utf-8")
    for given in (("--context", f"@{chunk}"), ("--context-file", chunk), ("--context-file", chunks)):
        done = faithview("guard", "--answer", f"@{answer}", *given)
        assert (done.status, done.out) == (0, f"{RIGHT}\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RIGHT.encode())))
    document = faithview("check", "--answer", "-", "--context-file", chunks, "--json").document
    assert document["claims"][0]["supporting_chunk_ids"] == ["k1"]
    assert faithview("check", "--answer", "@@a is open.", "--context", "x").status == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--answer", "@nowhere.txt", "--context", "c"), "'nowhere.txt' cannot be read"),
        (("--answer", "-", "--context", "-"), "Only one option can read standard input"),
        (("--answer", "a", "--context", "c", "--db", "sqlite:///x.db"), "--db"),
        (("--answer", "a", "--context", "c", "--project", "x"), "--project"),
    ],
)
@pytest.mark.parametrize("command", ["check", "guard"])
def test_what_cannot_be_used_is_refused(faithview: Command, command: str, words: tuple[str, ...], said: str) -> None:
    done = faithview(command, *words)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_the_project_of_a_pull_has_one_name(faithview: Command) -> None:
    done = faithview("pull", "phoenix", "--project", "a", "--source-project", "b")
    assert (done.status, "old name" in done.err) == (2, True)
    assert "--project " not in faithview("pull", "-h").out


def test_old_names_of_options_work_and_are_not_listed(filled: Command) -> None:
    drawn = filled("spot-check", "draw", "answers", "--size", "2", "--open", "--json").document["spot_check_id"]
    new = filled("spot-check", "draw", "answers", "--size", "2", "--no-blind", "--json").document["spot_check_id"]
    for number in (drawn, new):
        assert filled("spot-check", "show", number, "--json").document["blind"] is False
    name = filled("datasets", "list", "--json").document["datasets"][0]["name"]
    for option in ("--version", "--data-version"):
        assert "has no version 9" in filled("datasets", "show", name, option, 9).err
    for option in ("--force", "--include-open-spot-checks"):
        assert filled("retention", "--keep", "1d", option, "--dry-run").status == 0
    for option in ("--find", "--search"):
        assert filled("audit", option, "nothing like it", "--json").document["entries"] == []
    assert len(filled("run", "list", "--limit", "1", "--json").document["runs"]) == 1
    helps = filled("spot-check", "draw", "-h"), filled("datasets", "show", "-h"), filled("retention", "-h")
    for old, done in zip(("--open", "--version", "--force"), helps, strict=True):
        assert f" {old} " not in done.out


def test_the_table_of_exit_codes_has_every_code() -> None:
    codes = [value for name, value in vars(exit_codes).items() if name.isupper()]
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    section = page.partition("## Exit codes")[2].partition("\n## ")[0]
    assert re.findall(r"^\| (\d+) \|", section, re.MULTILINE) == [str(code) for code in codes]
