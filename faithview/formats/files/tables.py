"""A file as a table: its columns, and its rows with their line numbers, which can be read more than once."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TextIO, TypeAlias

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.report import RowProblem, Unit
from faithview.formats.files.source import Source

# How many rows are read to learn the columns if no header names them, and how many of them the detector sees.
ROWS_FOR_COLUMNS = 1000
_ROWS_FOR_HEAD = 20


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row as it is in the file; `line` as in `RowProblem`."""

    line: int
    values: Mapping[str, object]


RawRows: TypeAlias = Iterator[RawRow | RowProblem]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A readable file.

    `format` is that of the content, not of the name: "csv", "json", ...; with ".gz" if it is compressed.
    `unit` is what row numbers count. `head` are the first readable rows. `warnings` and `notes` are about the file as a
    whole.
    """

    name: str
    format: str
    columns: tuple[str, ...]
    unit: Unit
    head: tuple[RawRow, ...]
    read: Callable[[], RawRows]
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def rows(self) -> RawRows:
        """Yield every row, from the first, in the file's order.

        Raises:
            UnreadableFile: later, if the file turns out to be damaged.
        """
        return self.read()


def build_table(
    source: Source,
    *,
    file_format: str,
    unit: Unit,
    read: Callable[[], RawRows],
    columns: Sequence[str] | None = None,
    warnings: Iterable[str] = (),
    notes: Iterable[str] = (),
) -> Table:
    """Read the first rows and return the table.

    Args:
        source: where the rows come from.
        file_format: "csv" and so on, without ".gz".
        unit: what the rows' numbers count.
        read: starts a pass over the rows.
        columns: the columns where the file declares them; None where its rows name their own.
        warnings: about the file as a whole.
        notes: about the file as a whole, for information.

    Raises:
        UnreadableFile: there is no row, or none of the first thousand can be read.
    """
    head: list[RawRow] = []
    named: dict[str, None] = {}
    first_problem: RowProblem | None = None
    for row in islice(read(), ROWS_FOR_COLUMNS if columns is None else _ROWS_FOR_HEAD):
        if isinstance(row, RowProblem):
            first_problem = first_problem or row
            continue
        if len(head) < _ROWS_FOR_HEAD:
            head.append(row)
        named.update(dict.fromkeys(row.values))
    if not head and first_problem is None:
        what = "a header line and no rows" if columns else "no rows"
        raise UnreadableFile(f"{source.name} has {what}.")
    if not head and columns is None:
        raise UnreadableFile(f"{source.name} has no row that can be read; the first is {first_problem}.")
    return Table(
        name=source.name,
        format=f"{file_format}.gz" if source.is_gzipped else file_format,
        columns=tuple(named) if columns is None else tuple(columns),
        unit=unit,
        head=tuple(head),
        read=read,
        warnings=tuple(warnings),
        notes=tuple(notes),
    )


@contextmanager
def open_text(source: Source, codec: str, *, newline: str) -> Iterator[TextIO]:
    """Open a source as text whose encoding has been checked; `newline` as in `open`."""
    with source.reading(), source.open() as binary, io.TextIOWrapper(binary, encoding=codec, newline=newline) as text:
        try:
            yield text
        except UnicodeDecodeError as error:  # the encoding was checked, so the file has changed since
            raise UnreadableFile(f"{source.name} changed while it was read: {error.reason}.") from error


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of columns, with "column_3" for a blank name and "name_2" for a repeated one."""
    unique: dict[str, None] = {}
    for position, name in enumerate(names, start=1):
        wanted = name.strip() or f"column_{position}"
        candidate, number = wanted, 2
        while candidate in unique:
            candidate, number = f"{wanted}_{number}", number + 1
        unique[candidate] = None
    return tuple(unique)
