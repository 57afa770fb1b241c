"""Bad input: status 2, one clear line on standard error, nothing on standard output, nothing written."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command


def _assert_refused(done: object, *words: str) -> None:
    from tests.cli.conftest import Outcome

    assert isinstance(done, Outcome)
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("faithview: ")
    assert done.err.count("\n") == 1, done.err
    for word in words:
        assert word in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nope",), ("No such command 'nope'", "--help")),
        (("run", "list", "--bogus"), ("--bogus", "faithview run list --help")),
        (("evaluate",), ("Missing argument 'FILE'",)),
        (("evaluate", "x.csv", "--limit", "0"), ("--limit",)),
        (("evaluate", "x.csv", "--limit", "many"), ("--limit", "integer")),
        (("evaluate", "x.csv", "--threshold", "1.5"), ("--threshold",)),
        (("evaluate", "x.csv", "--fail-under", "-1"), ("--fail-under",)),
        (("evaluate", "x.csv", "--concurrency", "0"), ("--concurrency",)),
        (("evaluate", "no such file.csv"), ("There is no file 'no such file.csv'",)),
        (("evaluate", "."), ("is a folder",)),
        (("bench", "no such file.jsonl"), ("There is no file",)),
        (("check", "--context", "c"), ("--answer",)),
        (("check", "--answer", "a\udcff", "--context", "c"), ("The answer holds an incomplete character",)),
        (("check", "--answer", "a", "--context", "c", "--judge", "nope"), ("No judge named 'nope'", "lexical")),
        (("export", "r", "--format", "doc", "-o", "x"), ("no export format 'doc'", "ragas")),
        (("export", "r"), ("--output",)),
        (("ui", "--port", "99999"), ("--port",)),
    ],
    ids=lambda value: " ".join(value)[:60].encode("ascii", "replace").decode(),
)
def test_a_wrong_call_is_refused_and_writes_nothing(
    faithview: Command, store: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    _assert_refused(faithview(*arguments), *words)
    assert not store.exists()


@pytest.mark.parametrize(
    "command",
    [
        ("run", "show"),
        ("resume",),
        ("run", "delete", "--yes"),
        ("export", "-o", "never.jsonl"),
    ],
)
@pytest.mark.parametrize("run", ["nope", "", "\udcff", "%"])
def test_a_run_that_is_not_there_is_refused(
    faithview: Command, command: tuple[str, ...], run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _assert_refused(faithview(*command, run), "There is no run", "faithview run list")
    assert not Path("never.jsonl").exists()


def test_a_name_that_several_runs_have_is_refused_with_their_ids(
    faithview: Command, dataset: Path, store: Path
) -> None:
    import sqlite3

    ids = [faithview("evaluate", dataset, "--json").document["run_id"] for _ in range(2)]
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE run SET name = 'same'")
    connection.close()
    _assert_refused(faithview("run", "show", "same"), "Several runs are named 'same'", *ids)
    assert faithview("run", "show", ids[0]).status == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ("empty",)),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\x00", ()),
        (b"question,answer\nq,a\n", ("--map contexts=COLUMN",)),
        (b'{"answer": "a", "contexts": ["c"]', ()),
    ],
    ids=["empty", "binary", "no contexts", "broken JSON"],
)
def test_a_file_that_cannot_be_used_is_refused_and_nothing_is_written(
    faithview: Command, store: Path, tmp_path: Path, content: bytes, words: tuple[str, ...]
) -> None:
    path = tmp_path / "bad.dat"
    path.write_bytes(content)
    _assert_refused(faithview("evaluate", path, "--json"), *words)
    assert not store.exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--judge", "nope"), ("No judge named 'nope'",)),
        (("--judge", "lexical:x"), ("takes no model",)),
        (("--map", "answer=nope"), ("nope",)),
        (("--map", "answer"), ("answer",)),
        (("--segment", "nope"), ("nope",)),
    ],
)
def test_options_that_do_not_fit_the_file_or_the_judges_write_nothing(
    faithview: Command, dataset: Path, store: Path, options: tuple[str, ...], words: tuple[str, ...]
) -> None:
    _assert_refused(faithview("evaluate", dataset, *options, "--json"), *words)
    assert not store.exists()


@pytest.mark.parametrize("name", ["x" * 201, "  ", "a\udcff"])
def test_a_name_that_no_run_can_have_is_refused(faithview: Command, dataset: Path, name: str) -> None:
    _assert_refused(faithview("evaluate", dataset, "--name", name))
    assert faithview("run", "list", "--json").document == {"runs": []}


def test_rows_that_cannot_be_used_are_named_and_the_rest_is_judged(faithview: Command, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text('{"answer": "A.", "contexts": ["A."]}\n{"answer": null, "contexts": ["A."]}\n', encoding="utf-8")
    done = faithview("evaluate", path, "--json")
    assert done.status == 0
    assert done.document["rows"] == 1
    assert "left out: line 2: no answer" in done.err


@pytest.mark.parametrize(
    "url", ["postgresql://me:hunter2@127.0.0.1:1/db", "mysql://me:hunter2@h/db", "postgresql://me:hunter2@h:port/db"]
)
@pytest.mark.parametrize(
    "command", [("run", "list"), ("db", "check"), ("db", "upgrade"), ("run", "show", "x"), ("ui",), ("demo",)]
)
def test_no_error_shows_a_password(faithview: Command, command: tuple[str, ...], url: str) -> None:
    done = faithview(*command, "--db", url)
    _assert_refused(done)
    assert "hunter2" not in done.err


def test_an_export_that_cannot_be_written_is_refused(faithview: Command, dataset: Path, tmp_path: Path) -> None:
    faithview("evaluate", dataset)
    _assert_refused(faithview("export", "answers", "-o", tmp_path / "no" / "folder" / "o.jsonl"), "cannot be written")
    _assert_refused(faithview("export", "answers", "-o", tmp_path), "is a folder; name a file in it")
    assert not (tmp_path / "no").exists()


def test_without_a_command_the_help_is_shown(faithview: Command) -> None:
    done = faithview()
    assert done.status == 2
    assert "evaluate" in done.err
    assert faithview("--help").status == 0
    assert faithview("--version").out.startswith("faithview ")


@pytest.mark.parametrize(
    "command", [("run", "list"), ("run", "show", "a"), ("export", "a", "-o", "a.csv"), ("kb", "list")]
)
def test_a_mistyped_store_is_not_made(faithview: Command, tmp_path: Path, command: tuple[str, ...]) -> None:
    missing = tmp_path / "mistyped.db"
    done = faithview(*command, "--db", f"sqlite:///{missing}")
    assert done.status == 2
    assert f"There is no store at sqlite:///{missing}. Check --db" in done.err
    assert list(tmp_path.glob("mistyped*")) == []
