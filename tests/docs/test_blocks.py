"""Every block of code on a page runs and prints what the page says, or a comment above it says why it does not."""

import json
import re
import tomllib
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.core import TyperGroup

from faithview.cli.main import app
from tests.docs.pages import PAGES, ROOT, Block, read_blocks
from tests.docs.process import run_page
from tests.docs.run import is_run

_BLOCKS = [block for page in PAGES for block in read_blocks(page)]
_LINE_OF_COMMAND = re.compile(r"(?:^|(?<!install)[`(| /])faithview ((?:[a-z][\w-]*|--?[a-z]).*)")
# What a new reader runs; the other pages are for the slow tests.
_FIRST_PAGES = {"README.md", "docs/tutorial.md"}
# Ids of runs are drawn anew each time.
_RUN_ID = re.compile(r"\([a-z2-9]{8}\)")


def _parse_json(text: str) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        for line in text.splitlines():
            json.loads(line)


def _parse_ini(text: str) -> None:
    ConfigParser(strict=False, interpolation=None).read_string(text)


_PARSERS = {"json": _parse_json, "toml": tomllib.loads, "yaml": yaml.safe_load, "ini": _parse_ini}


def _is_output(place: int) -> bool:
    """Whether a block shows what the block before it printed."""
    block, before = _BLOCKS[place], _BLOCKS[place - 1]
    return block.language in {"text", "indented"} and place > 0 and before.page == block.page and is_run(before)


def test_the_pages_have_blocks_of_every_kind() -> None:
    assert {"python", "sh", "commands", "text", "json", "yaml"} <= {block.language for block in _BLOCKS}


@pytest.mark.parametrize("place", range(len(_BLOCKS)), ids=[block.place for block in _BLOCKS])
def test_a_block_is_run_or_parsed_or_says_why_not(place: int) -> None:
    block = _BLOCKS[place]
    if block.tested_by:
        test = ROOT / block.tested_by
        assert test.exists(), f"{block.place} says that {block.tested_by} tests it, which is not there."
        name = Path(block.page).name
        assert name in test.read_text(encoding="utf-8"), f"{block.tested_by} does not read {name}."
        return
    if block.language in _PARSERS:
        _PARSERS[block.language](block.text)
        return
    assert is_run(block) or block.not_run or block.title or _is_output(place), (
        f"Nothing runs the block at {block.place}. Use `python` or `sh`, or say above it why it is not run: "
        "<!-- not run: ... --> or <!-- tested by: tests/... -->."
    )


def _shown(text: str) -> str:
    return _RUN_ID.sub("(id)", "\n".join(line.rstrip() for line in text.splitlines())).strip()


@pytest.mark.parametrize(
    "page",
    [
        page if page in _FIRST_PAGES else pytest.param(page, marks=pytest.mark.slow)
        for page in sorted({block.page for block in _BLOCKS if is_run(block)})
    ],
)
def test_the_blocks_of_a_page_run_and_print_what_it_says(page: str, tmp_path: Path) -> None:
    printed = run_page(page, tmp_path)
    for place, block in enumerate(_BLOCKS):
        if block.page == page and _is_output(place):
            actual = _shown(printed[_BLOCKS[place - 1].line])
            if block.language == "text":
                assert actual == _shown(block.text), f"{block.place} shows something else"
            else:
                assert _shown(block.text) in actual, f"{block.place} shows something else"


def _commands() -> list[tuple[str, str]]:
    """Return every command on every page, in blocks and between back-quotes, with its place."""
    found = [(block.place, line) for block in _BLOCKS for line in (*block.commands, *_workflow_lines(block))]
    for page in PAGES:
        for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), start=1):
            found += [(f"{page}:{number}", quoted) for quoted in re.findall(r"`(faithview [^`]+)`", line)]
    return [(place, match[1]) for place, line in found if (match := _LINE_OF_COMMAND.search(line))]


def _workflow_lines(block: Block) -> list[str]:
    return block.text.splitlines() if block.language in {"yaml", "ini"} else []


def test_every_command_on_a_page_exists_with_its_options() -> None:
    commands = _commands()
    assert len(commands) >= 100
    wrong = [f"{place}: faithview {line}: {fault}" for place, line in commands if (fault := _fault(line))]
    assert wrong == []


def _fault(line: str) -> str:
    """Return what is wrong with a command, "" if nothing is."""
    command: Any = typer.main.get_command(app)
    words = line.replace("[", " ").replace("]", " ").split()
    while isinstance(command, TyperGroup) and words and not words[0].startswith("-"):
        name = words.pop(0)
        if name not in command.commands:
            return f"there is no {name!r}"
        command = command.commands[name]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    options = {word.partition("=")[0] for word in words if re.fullmatch(r"--?[a-z][\w-]*(=.*)?", word)}
    unknown = options - known - {"--help", "--version"}
    return f"there is no {', '.join(sorted(unknown))}" if unknown else ""
