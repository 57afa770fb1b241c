"""Text under judgement is shown on a terminal, not obeyed by it."""

import os
import pty
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from faithview.cli import output
from tests.cli.conftest import Command

pytestmark = pytest.mark.process

# Clears the screen, sets the window's title, goes back to the line's start, and turns the rest of the line round.
HOSTILE = "Paid\x1b[2J\x1b]0;owned\x07 in\rfull\x9b31m \u202edlog\u202c \u2066x\u2069\x7f."
SHOWN = r"Paid\x1b[2J\x1b]0;owned\x07 in\x0dfull\x9b31m \u202edlog\u202c \u2066x\u2069\x7f."


def test_what_a_terminal_obeys_is_written_as_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_lines([HOSTILE])
    output.say(HOSTILE)
    assert capsys.readouterr() == (f"{SHOWN}\n", f"{SHOWN}\n")
    output.show({}, output.Table(HOSTILE, [HOSTILE], [[HOSTILE]]), as_json=False)
    assert [line.strip() for line in capsys.readouterr().out.splitlines()] == [SHOWN] * 3


def test_what_a_terminal_does_not_obey_stays(capsys: pytest.CaptureFixture[str]) -> None:
    text = "a\tb\nc\r\nÄ\u00a0– مرحبا 🙂 [red]"
    output.print_lines([text])
    assert capsys.readouterr().out == f"{text}\n"
    output.show({}, output.Table("[red]a[/red]", ["[red]"], [["[bold]b[/bold] {0} %s"]]), as_json=False)
    shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert shown == ["[red]a[/red]", "[red]", "[bold]b[/bold] {0} %s"]


def test_no_command_hands_a_control_character_to_the_terminal(faithview: Command, tmp_path: Path) -> None:
    given = ["--answer", HOSTILE, "--context", HOSTILE]
    words = faithview("check", *given)
    assert r"\x1b[2J" in words.out
    assert not {"\x1b", "\x07", "\r", "\x9b", "\u202e"} & set(words.out + words.err)
    # A program that reads the document gets the text as it is.
    document = faithview("check", *given, "--json").document
    assert "\x1b[2J" in "".join(claim["text"] for claim in document["claims"])
    failed = faithview("run", "show", "\x1b[2Jrun")
    assert failed.status != 0
    assert "\x1b" not in failed.err


def _shown(read: int) -> str:
    """What is written to a terminal until its last writer is gone, which Linux says by an error."""
    parts: list[bytes] = []
    while True:
        try:
            part = os.read(read, 4096)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode()


@pytest.mark.parametrize("command", ["import", "evaluate"])
def test_a_bar_in_a_terminal_says_how_many_are_done(command: str, tmp_path: Path) -> None:
    """`import` says how many rows are stored in all, `evaluate` that one more answer is judged."""
    file = tmp_path / "ragas.csv"
    file.write_text(
        "question,answer,contexts,faithfulness\nq,Paid.,\"['Paid.']\",1\nr,Open.,\"['Shut.']\",0\n", encoding="utf-8"
    )
    environment = os.environ | {"FAITHVIEW_DB": f"sqlite:///{tmp_path / 'store.db'}", "TERM": "xterm"}
    read, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    arguments = [sys.executable, "-m", "faithview", command, str(file)]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=terminal, env=environment) as process:
        os.close(terminal)
        shown = _shown(read)
    os.close(read)
    assert (process.returncode, "2/2" in shown) == (0, True), shown
