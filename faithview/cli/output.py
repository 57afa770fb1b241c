"""What commands print: one JSON document on standard output, or words and tables; everything else on standard error."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

_ENDLESS = 10_000
# Control characters but tab and the end of a line, and what turns the direction of a line.
_OBEYED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)")
_LAST_OF_TWO_DIGITS = 0xFF


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document on standard output."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n")


def printable(text: str) -> str:
    """Write what a terminal would obey, or show in another order than it stands, as the escape that Python has for it.

    Text under judgement may come from anywhere. Tabs and ends of lines stay.
    """
    return _OBEYED.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code <= _LAST_OF_TWO_DIGITS else f"\\u{code:04x}"


def print_lines(lines: Sequence[str]) -> None:
    """Print lines: text under judgement is never read as markup and never obeyed by the terminal (`printable`)."""
    for line in lines:
        sys.stdout.write(printable(line) + "\n")


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; columns whose heading ends in a space are set to the right."""
    table = Table(title=Text(printable(title)), title_justify="left", title_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(Text(printable(column.strip())), justify="right" if column.endswith(" ") else "left")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    # In a pipe or a file a row is a line, however long.
    Console(width=None if sys.stdout.isatty() else _ENDLESS).print(table)


def say(text: str) -> None:
    """Say something on standard error, as `printable`."""
    sys.stderr.write(printable(text) + "\n")


@contextmanager
def progress(label: str, total: int) -> Iterator[Any]:
    """Show a bar on standard error while it is a terminal; yields a function that counts one step.

    The function takes what stands behind the bar: rate, tokens, cost.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _note="": None
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(printable(label), total=total, note="")
        yield lambda note="": bar.update(task, advance=1, note=printable(note))
