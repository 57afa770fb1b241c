"""The command line reference: every command with its arguments, options and examples, as `--help` has them."""

import re
from collections.abc import Iterator
from typing import Any

import typer
from sphinx.application import Sphinx

from faithview.cli.main import COMMANDS
from faithview.cli.main import app as command_line

_PAGE = "commands"
_MARK = "<!-- every command -->"


def setup(app: Sphinx) -> dict[str, Any]:
    """Put the reference where the page `commands` has its mark."""
    app.connect("source-read", _fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _fill_in(app: Sphinx, name: str, source: list[str]) -> None:
    if name == _PAGE:
        source[0] = source[0].replace(_MARK, "\n".join(_lines(typer.main.get_command(command_line))))


def _lines(root: Any) -> Iterator[str]:
    context = typer.Context(root, info_name="faithview")
    for name, (_, summary) in COMMANDS.items():
        yield from _describe(root.get_command(context, name), f"faithview {name}", "##", summary)


def _describe(command: Any, name: str, heading: str, summary: str) -> Iterator[str]:
    yield from (f"{heading} {name}", "", _escaped(_text(command) or summary), "")
    if hasattr(command, "commands"):
        for part, below in command.commands.items():
            yield from _describe(below, f"{name} {part}", f"{heading}#", "")
        return
    with typer.Context(command, info_name=name) as context:
        usage = " ".join(command.collect_usage_pieces(context)).translate({ord("{"): None, ord("}"): None})
        yield from ("```text", f"{name} {usage}", "```", "")
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in command.get_params(context):
            usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
            title = parameter.rich_help_panel if getattr(parameter, "rich_help_panel", None) else usual
            if record := parameter.get_help_record(context):
                sections.setdefault(title, []).append(record)
    for title, table in ((title, table) for title, table in sections.items() if table):
        yield from (f"| {title} | |", "| --- | --- |")
        yield from (f"| `{_term(term)}` | {_cell(meaning)} |" for term, meaning in table)
        yield ""
    _, *examples = command.epilog.split("\n\n")
    yield from ("```sh", *examples, "```", "")


def _text(command: Any) -> str:
    return " ".join((command.help or "").split())


def _term(text: str) -> str:
    """Return the name of an option or argument; of types only numbers are said."""
    named = re.sub(r" <(?:path|str|list\[str\]|int)>$", "", text) if not text.startswith("-") else text
    return re.sub(r"<(?:int|float)( range)?>", "NUMBER", named).replace("|", "\\|")


def _cell(text: str) -> str:
    return _escaped(" ".join(text.split())).replace("|", "\\|")


def _escaped(text: str) -> str:
    """Leave back-quotes as code and keep the rest from being read as Markdown."""
    parts = text.split("`")
    for place in range(0, len(parts), 2):
        for sign in "\\*_<>[$":
            parts[place] = parts[place].replace(sign, f"\\{sign}")
    return "`".join(parts)
