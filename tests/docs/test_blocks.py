"""The README and the tutorial print what they say, and every command and file on a page is as FaithView has it."""

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


def test_every_file_that_a_page_shows_is_well_formed() -> None:
    for block in _BLOCKS:
        if block.language in _PARSERS:
            _PARSERS[block.language](block.text)


def _shown(text: str) -> str:
    return _RUN_ID.sub("(id)", "\n".join(line.rstrip() for line in text.splitlines())).strip()


@pytest.mark.process
@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md"])
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
    wrong = [f"{place}: faithview {line}: {fault}" for place, line in _commands() if (fault := _fault(line))]
    assert wrong == []


def _fault(line: str) -> str:
    """Return what is wrong with a command, "" if nothing is."""
    command: Any = typer.main.get_command(app)
    words = line.replace("[", " ").replace("]", " ").split()
    while isinstance(command, TyperGroup) and words and not words[0].startswith("-"):
        name = words.pop(0)
        command = command.get_command(typer.Context(command), name)
        if command is None:
            return f"there is no {name!r}"
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    options = {word.partition("=")[0] for word in words if re.fullmatch(r"--?[a-z][\w-]*(=.*)?", word)}
    unknown = options - known - {"--help", "--version"}
    return f"there is no {', '.join(sorted(unknown))}" if unknown else ""
