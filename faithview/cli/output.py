"""Printing: one JSON document, or lines and tables, on standard output; the rest, questions too, on standard error."""

import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import typer

from faithview import logs
from faithview.domain.errors import InvalidInput
from faithview.domain.hidden_characters import escape_in_json
from faithview.formats.files.atomic_file import STANDARD_OUTPUT
from faithview.wording.plain_text import printable

_NO_WRAP = 10_000
_Item = TypeVar("_Item")


def print_json(document: object) -> None:
    """Print a record as one JSON document, with its version first and with control characters escaped."""
    from pydantic_core import to_jsonable_python  # here, because most commands print no JSON

    written = {"schema_version": 1, **to_jsonable_python(document)}
    sys.stdout.write(escape_in_json(json.dumps(written, ensure_ascii=False, allow_nan=False, indent=2)) + "\n")


class Table(NamedTuple):
    """Rows for people; a column whose heading ends in a space is right-aligned."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def show(document: object, *parts: str | list[str] | Table, as_json: bool) -> None:
    """Print a record as JSON. Or else, for people, say each text on standard error, and print lines and tables."""
    if as_json:
        print_json(document)
        return
    for part in parts:
        if isinstance(part, str):
            say(part)
        elif isinstance(part, Table):
            _print_table(part)
        else:
            print_lines(part)


def refuse_two_documents(destination: Path | None, *, as_json: bool) -> None:
    """Raise InvalidInput where --json and a file would both go to standard output."""
    if as_json and destination == STANDARD_OUTPUT:
        raise InvalidInput("With --json the JSON document is written to standard output; name a file with -o.")


def print_lines(lines: Sequence[str]) -> None:
    """Print lines as plain text: no markup, no terminal control (`printable`)."""
    for line in lines:
        sys.stdout.write(printable(line) + "\n")


def _print_table(table: Table) -> None:
    from rich.console import Console  # here, because most commands print no table
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(
        title=Text(printable(table.title)), title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    for column in table.columns:
        shown.add_column(Text(printable(column.strip())), justify="right" if column.endswith(" ") else "left")
    for row in table.rows:
        shown.add_row(*(Text(printable(cell)) for cell in row))
    # In a pipe or a file every row is one line, however long.
    Console(width=None if sys.stdout.isatty() else _NO_WRAP).print(shown)


def say(text: str, *, level: int = logging.INFO) -> None:
    """Print a message on standard error, as `printable`; one JSON object of that level where the log is JSON."""
    sys.stderr.write((logs.said(text, level=level) if logs.writes_json() else printable(text)) + "\n")


class Step(Protocol):
    """Counts the steps of a progress bar."""

    def __call__(self, note: str = "", completed: float | None = None) -> None:
        """Count one step more, or say how many are `completed`; `note` is shown after the bar: rate, tokens, cost."""


@contextmanager
def progress(label: str, total: float | None = None) -> Iterator[Step]:
    """Show a progress bar if standard error is a terminal; yield a function that counts the steps."""
    from tqdm import tqdm  # here, because most commands show no bar

    # `disable=None` is: unless in a terminal.
    with tqdm(desc=printable(label), total=total, disable=None, dynamic_ncols=True) as bar:

        def step(note: str = "", completed: float | None = None) -> None:
            bar.set_postfix_str(printable(note), refresh=False)
            bar.update(1 if completed is None else completed - bar.n)

        yield step


@contextmanager
def reading(label: str, share_read: Callable[[], float]) -> Iterator[Callable[[], None]]:
    """Show how many percent of a file are read; yield a function to call after each row."""
    with progress(label, 100) as step:
        yield lambda: step(completed=round(100 * share_read()))


def stepping(items: Iterable[_Item], step: Callable[[], None]) -> Iterator[_Item]:
    """Yield the items, and call `step` after each."""
    for item in items:
        yield item
        step()


def confirm(question: str, *, yes: bool, as_json: bool = False, purpose: str = "delete") -> None:
    """Return if the user agrees, or has agreed with --yes; `purpose` is the verb of what --yes agrees to.

    Raises:
        InvalidInput: the user cannot be asked, because standard input is not a terminal or --json is given.
        typer.Abort: the answer is no.
    """
    if yes:
        return
    if as_json:
        raise InvalidInput(f"Add --yes to {purpose} with --json: it never asks. Nothing was changed.")
    if not sys.stdin.isatty():
        raise InvalidInput(f"{question} Standard input is not a terminal; add --yes to {purpose}. Nothing was changed.")
    typer.confirm(question, abort=True, err=True)
