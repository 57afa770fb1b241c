"""Commands are imported when they are called, and the help knows them before that."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from faithview.cli.main import COMMANDS, app, main
from tests.cli.conftest import Command
from tests.dashboard import ROOT


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_of_a_command_what_the_command_says_of_itself(name: str) -> None:
    command = COMMANDS[name].load(name)
    assert command.help.split("\n")[0] == COMMANDS[name].summary
    assert not command.hidden


def _all_commands() -> Iterator[tuple[list[str], Any]]:
    """The words and the objects of all commands and groups, the whole program among them."""
    yield [], typer.main.get_command(app)
    for name, late in COMMANDS.items():
        command = late.load(name)
        yield [name], command
        yield from (([name, part], found) for part, found in getattr(command, "commands", {}).items())


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_the_help_cuts_nothing_at_any_width(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for words, command in _all_commands():
        monkeypatch.setattr(sys, "argv", ["faithview", *words, "--help"])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr().out
        assert ended.value.code == 0
        text = _squeezed(printed)
        options = [parameter.help for parameter in command.params if parameter.help and not parameter.hidden]
        parts = [part.help.partition("\n\n")[0] for part in getattr(command, "commands", {}).values() if words]
        parts += [] if words else [late.summary for late in COMMANDS.values()]
        for wanted in [command.help or "", *options, *parts]:
            assert _squeezed(wanted) in text, (words, wanted)
        behind_usage = printed.partition("\n\n")[2]
        assert not [line for line in behind_usage.splitlines() if line.endswith(("...", "…"))]
        assert max(map(len, printed.splitlines())) <= width


def _squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(
    "words",
    [
        ("--db", "URL", "runs", "--json"),
        ("--db=URL", "runs", "--json"),
        ("--json", "--db", "URL", "runs"),
        ("--db", "URL", "datasets", "list", "--json"),
        ("datasets", "--db", "URL", "list", "--json"),
        ("--series", "runs", "--db", "URL", "runs", "--json"),  # a value that is the name of a command
    ],
)
def test_an_option_may_be_in_front_of_its_command(
    faithview: Command, words: tuple[str, ...], tmp_path: Path, dataset: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'other.db'}"
    faithview("evaluate", dataset, "--db", url, "--series", "runs", "--name", "mine")
    done = faithview(*(word.replace("URL", url) for word in words))
    assert (done.status, done.err) == (0, "")
    assert "mine" in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--db", "sqlite:///x.db"), "--db is an option of commands: name one, as in `faithview COMMAND --db ...`."),
        (("--json",), "--json is an option of commands"),
        (
            ("--db", "sqlite:///x.db", "projects"),
            "`faithview projects` has no option --db; `faithview projects --help`",
        ),
        (("--port", "80", "runs"), "`faithview runs` has no option --port"),
        (("--db",), "--db is an option of commands"),
        (("--nonsense",), "No such option: --nonsense"),
    ],
)
def test_an_option_in_front_of_no_command_of_its_own_is_said(
    faithview: Command, words: tuple[str, ...], said: str
) -> None:
    done = faithview(*words)
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert said in done.err


def test_a_name_that_is_almost_a_command_s_is_understood() -> None:
    with pytest.raises(typer.BadParameter.__base__ or Exception, match="Did you mean 'evaluate'"):
        app(["evaluat"], standalone_mode=False)


_STORE = {"sqlalchemy", "alembic"}
_FIGURES = {"numpy", "scipy", "pandas", "pyarrow", "plotly", "streamlit", "openpyxl", "jinja2"}
_MODELS = {"openai", "anthropic", "httpx", "onnxruntime", "tokenizers", "pysbd", "rapidfuzz", "Stemmer", "fastapi"}
# The store declares its tables without the ORM, and a store in a file needs no other database's dialect.
_DATABASES = {"sqlalchemy.orm", "sqlalchemy.dialects.postgresql", "alembic"}
# What reads files, and what judges.
_READERS = {"faithview.formats.read", "faithview.formats.readers", "faithview.formats.rows.mapping"}
_JUDGING = {"faithview.judges.llm", "faithview.judges.lexical", "faithview.services.runs.execute"}
_ALL = {*_STORE, *_FIGURES, *_MODELS, *_DATABASES}
_LISTING = {*_FIGURES, *_MODELS, *_DATABASES, *_READERS, *_JUDGING}


def test_the_help_of_no_command_waits_for_what_the_command_uses() -> None:
    heavy = {*_ALL, "rich"}
    # One after the other in one process, so what the first of them imports is there when the others end.
    program = (
        "import sys\n"
        "from faithview.__main__ import main\n"
        f"for name in {[*COMMANDS]!r}:\n"
        "    sys.argv = ['faithview', name, '--help']\n"
        "    try:\n"
        "        main()\n"
        "    except SystemExit as end:\n"
        "        assert not end.code, name\n"
        f"    print('imported', name, *({heavy!r} & set(sys.modules)), file=sys.stderr)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert [line for line in done.stderr.splitlines() if line.startswith("imported")] == [
        f"imported {name}" for name in COMMANDS
    ]


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], {*_ALL, "rich", "pydantic"}),
        (["--version"], {*_ALL, "rich", "pydantic"}),
        (["runs"], _LISTING),
        (["show", "no such run"], _LISTING - {"numpy"}),
        (["rename", "no such run", "another name"], _LISTING),
        (["labels", "no such run"], _LISTING),
        (["compare", "no such run", "no such run"], {*_MODELS, *_DATABASES, *_READERS, *_JUDGING} - {"rapidfuzz"}),
        (["check", "--answer", "A dog.", "--context", "A dog."], {*_STORE, *_READERS, *_FIGURES} - {"numpy"}),
        (["evaluate", "no-such-file.jsonl"], {*_FIGURES, *_MODELS, *_DATABASES} - {"Stemmer"}),
        (["evaluate", "no-such-file.jsonl", "--fail-under", "7"], _ALL),
        (["audit"], _LISTING),
        (["projects"], _LISTING),
        (["doctor", "--no-call"], {*_DATABASES, *_READERS, "faithview.judges.llm", "faithview.services.runs.execute"}),
        *(([name, "list"], _LISTING) for name in ("series", "datasets", "event", "alert", "kb", "mappings")),
        (["db", "check", "--schema"], {*_LISTING, "faithview.store.schema.review"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_command_does_not_wait_for_what_it_does_not_use(
    arguments: list[str], heavy: set[str], store_file: Path
) -> None:
    program = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('imported', *sys.modules))\n"
        f"sys.argv = ['faithview', *{arguments!r}]\n"
        "from faithview.__main__ import main\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FAITHVIEW_DB": f"sqlite:///{store_file}"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 2), done.stderr  # 2 where the command refuses
    imported = set(done.stdout.rpartition("imported ")[2].split())
    assert "faithview.cli.main" in imported
    assert imported & heavy == set()


def test_python_does_not_look_for_garbage_when_a_command_has_ended() -> None:
    program = (
        "import atexit, gc, sys\n"
        "sys.argv = ['faithview', '--version']\n"
        "from faithview.__main__ import main\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    atexit._run_exitfuncs()\n"
        "    print('frozen', gc.get_freeze_count(), 'left', len(gc.get_objects()))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    _, frozen, _, left = done.stdout.split("\n")[1].split()
    assert int(frozen) > 100 * int(left)


def test_the_help_names_a_call_that_imports_nothing_of_the_current_folder(faithview: Command, tmp_path: Path) -> None:
    printed = " ".join(faithview("--help").out.split())
    call = printed.partition("use `")[2].partition("`")[0].split()
    assert call[0] == "python"
    noted = tmp_path / "imported"
    for name in ("typer", "json", "faithview"):
        (tmp_path / f"{name}.py").write_text(f"open({str(noted)!r}, 'w')\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *call[1:], "--version"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("faithview ")
    assert not noted.exists()
