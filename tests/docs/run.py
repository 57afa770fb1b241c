"""Run the blocks of a page as a reader would: `python -m tests.docs.run docs/tutorial.md`, in an empty folder.

One process runs a whole page. Blocks of Python share their names, as cells of a notebook do, commands run in this
process, and the store is a file in the folder. Prints one JSON document: what each block printed.
"""

import contextlib
import io
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from tests.docs import steps
from tests.docs.pages import Block, read_blocks


def run_page(page: str) -> list[dict[str, Any]]:
    """Run a page's blocks in the current folder, up to the first that fails."""
    names: dict[str, Any] = {"__name__": "__main__"}
    done = []
    for block in read_blocks(page):
        if block.before:
            steps.STEPS[block.before]()
        if block.title and not block.not_run:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text, encoding="utf-8")
        elif is_run(block):
            printed, errors = io.StringIO(), ""
            with contextlib.redirect_stdout(printed):
                try:
                    _run(block, names)
                except BaseException as error:  # noqa: BLE001 - whatever ends a block is the test's finding
                    errors = f"{type(error).__name__}: {error}"
            done.append({"line": block.line, "printed": printed.getvalue(), "error": errors})
            if errors:
                break
    return done


def is_run(block: Block) -> bool:
    """Whether a block is run here: Python and commands, unless its comment says otherwise."""
    return (block.language == "python" or bool(block.commands)) and not (block.not_run or block.title)


def _run(block: Block, names: dict[str, Any]) -> None:
    if block.language == "python":
        exec(compile(block.text, block.place, "exec"), names)
        return
    for command in block.commands:
        call(shlex.split(command))


def call(words: list[str]) -> None:
    """Run one command of a page, here in this process."""
    from faithview.cli.main import main

    if words[0] == "export":
        name, _, value = words[1].partition("=")
        os.environ[name] = value
        return
    if words[0] != "faithview":
        raise AssertionError(f"{words[0]!r} cannot be run here; say with a comment why this block is not run.")
    sys.argv = words
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise AssertionError(f"{shlex.join(words)} exited with {end.code}") from end


if __name__ == "__main__":
    json.dump(run_page(sys.argv[1]), sys.stdout)
