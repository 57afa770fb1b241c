"""Printing: one JSON document, or lines and tables, on standard output; everything else on standard error."""

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

_NO_WRAP = 10_000
# Control characters except tab and line end, and characters that change the direction of text.
_UNSAFE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)")
_LAST_OF_TWO_DIGITS = 0xFF


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document on standard output."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n")


def printable(text: str) -> str:
    """Escape characters that a terminal would obey, or that change the order of text; tabs and line ends stay.

    Answers and chunks are untrusted text.
    """
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code <= _LAST_OF_TWO_DIGITS else f"\\u{code:04x}"


def print_lines(lines: Sequence[str]) -> None:
    """Print lines as plain text: no markup, no terminal control (`printable`)."""
    for line in lines:
        sys.stdout.write(printable(line) + "\n")


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; a column whose heading ends in a space is right-aligned."""
    table = Table(title=Text(printable(title)), title_justify="left", title_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(Text(printable(column.strip())), justify="right" if column.endswith(" ") else "left")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    # In a pipe or a file every row is one line, however long.
    Console(width=None if sys.stdout.isatty() else _NO_WRAP).print(table)


def say(text: str) -> None:
    """Print a message on standard error, as `printable`."""
    sys.stderr.write(printable(text) + "\n")


@contextmanager
def progress(label: str, total: int) -> Iterator[Any]:
    """Show a progress bar if standard error is a terminal; yield a function that counts one step.

    The function takes the text after the bar: rate, tokens, cost.
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
