"""What is logged, how it looks, and what never stands in it."""

import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from faithview import logs
from faithview.domain.errors import InvalidInput
from faithview.logs import log_event
from tests.dashboard import ROOT

_LOG = logging.getLogger("faithview.test")


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    root, ours = logging.getLogger(), logging.getLogger("faithview")
    handlers, level, our_level = root.handlers[:], root.level, ours.level
    for name in ("FAITHVIEW_LOG_LEVEL", "FAITHVIEW_LOG_FORMAT"):
        monkeypatch.setenv(name, "")
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    ours.setLevel(our_level)


def test_a_warning_is_a_line_for_people_and_events_wait_for_their_level(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logs.set_up()
    _LOG.warning("Batch %s is late.", "b1")
    log_event(_LOG, "run.ended", run_id="r1")
    assert capsys.readouterr().err == "WARNING faithview.test: Batch b1 is late.\n"
    monkeypatch.setenv("FAITHVIEW_LOG_LEVEL", "info")
    logs.set_up()
    log_event(_LOG, "run.ended", run_id="r1", status="complete", note="two words")
    line = capsys.readouterr().err
    assert re.fullmatch(r'[\d-]+T[\d:.]+Z INFO run.ended run_id=r1 status=complete note="two words"\n', line)


def test_json_is_one_object_a_line_whatever_is_in_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAITHVIEW_LOG_FORMAT", "json")
    logs.set_up()
    log_event(_LOG, "run.ended", run_id="r\n1", seconds=1.5)
    _LOG.warning("Late:\n%s", "\x1b[2J“so”")
    ended, warned = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    time = ended.pop("time")
    assert re.fullmatch(r"[\d-]+T[\d:.]+Z", time)
    assert ended == {
        "level": "info", "event": "run.ended", "logger": "faithview.test", "run_id": "r\n1", "seconds": 1.5,
    }  # fmt: skip
    assert (warned["event"], warned["level"], warned["message"]) == ("message", "warning", "Late:\n\x1b[2J“so”")


@pytest.mark.parametrize("form", ["text", "json"])
def test_of_an_error_the_log_has_type_and_places_and_not_its_words(
    form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAITHVIEW_LOG_FORMAT", form)
    logs.set_up()
    try:
        int("my secret answer")
    except ValueError:
        _LOG.exception("Judge %s failed on row %s", "lexical", "7")
    said = capsys.readouterr().err
    assert "Judge lexical failed on row 7" in said
    assert "ValueError" in said
    assert "test_logs.py" in said
    assert "my secret answer" not in said


def test_keys_tokens_and_passwords_are_blotted_out_wherever_they_come_from(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    monkeypatch.setenv("FAITHVIEW_TOKEN", "first-token-abc,second-token-def")
    monkeypatch.setenv("FAITHVIEW_WEBHOOK_URL", "https://hooks.example.com/T1/B2")
    logs.set_up()
    _LOG.error("Refused: key sk-0123456789, token second-token-def at https://hooks.example.com/T1/B2")
    _LOG.error("No postgresql://ann:hunter2@db/faithview")
    assert capsys.readouterr().err == (
        "ERROR faithview.test: Refused: key ***, token *** at ***\n"
        "ERROR faithview.test: No postgresql://ann:***@db/faithview\n"
    )


def test_a_level_that_there_is_not_is_refused_with_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAITHVIEW_LOG_LEVEL", "loud")
    with pytest.raises(InvalidInput, match=r"FAITHVIEW_LOG_LEVEL is 'loud'; it can be debug, info, warning, error"):
        logs.set_up()


def test_loggers_of_libraries_write_as_ours_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAITHVIEW_LOG_FORMAT", "json")
    other = logging.getLogger("somelibrary.part")
    other.addHandler(logging.StreamHandler())
    other.propagate = False
    logs.set_up()
    logs.take_over("somelibrary")
    other.warning("Careful")
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["logger"] == "somelibrary.part"


@pytest.mark.process
def test_a_run_is_logged_as_json_without_its_texts_and_nothing_else_is_said(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    row = {"id": "a", "question": "When?", "answer": "It opens at ten zyzzyva.", "contexts": ["It opens at nine."]}
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FAITHVIEW_LOG_FORMAT": "json"}
    command = [sys.executable, "-m", "faithview", "evaluate", str(file), "--judge", "lexical"]
    command += ["--db", f"sqlite:///{tmp_path / 'a.db'}", "--fail-under", "1"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["event"] for line in lines][:2] == ["run.started", "run.ended"]
    assert lines[-1]["event"] == "said"
    assert lines[-1]["message"].startswith("faithview: ")
    assert lines[0]["run_id"] == lines[1]["run_id"]
    assert "zyzzyva" not in done.stderr


def test_every_event_is_documented_and_no_other() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "faithview").rglob("*.py"))
    logged = set(re.findall(r'log_event\(\s*_log,\s*"([a-z_.]+)"', sources)) | {logs.MESSAGE, logs.SAID}
    page = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8").partition("## Logs")[2].partition("\n## ")[0]
    assert len(logged) >= 10
    assert set(re.findall(r"^\| `([a-z_.]+)` \|", page, re.MULTILINE)) == logged


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal elsewhere")
@pytest.mark.parametrize("arguments", [["--help"], ["run", "list"], ["evaluate", "-"]], ids=" ".join)
def test_ctrl_c_is_no_traceback_from_the_first_import_on(arguments: list[str], tmp_path: Path) -> None:
    # A module that is imported early says that the program has begun, and waits for the signal to be there.
    begun = (
        "import os, signal, sys, builtins\n"
        # A shell starts what runs in its background with this signal ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "real, wanted = builtins.__import__, sys.argv[1]\n"
        "def slow(name, *rest):\n"
        "    if name == wanted:\n"
        "        builtins.__import__ = real\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = slow\n"
        "sys.argv = ['faithview', *sys.argv[2:]]\n"
        "from faithview.__main__ import main\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FAITHVIEW_DB": f"sqlite:///{tmp_path / 'a.db'}"}
    for module in ("typer", "faithview.cli.options"):
        done = subprocess.run(
            [sys.executable, "-c", begun, module, *arguments],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, module
        assert done.returncode in (130, 0), module  # 0: the command has no need of the module
