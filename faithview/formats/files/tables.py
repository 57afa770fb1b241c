"""A file, or rows in memory, as a table: its columns, and its rows with their line numbers."""

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import TextIO, TypeAlias

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.aliases import is_known_column
from faithview.formats.files.report import RowProblem, Unit, preview_of, storable
from faithview.formats.files.source import ERRORS, Source
from faithview.formats.limits import COLUMNS, LINE

# How many rows are read to find the columns if there is no header, and how many of them the detector gets.
_ROWS_FOR_COLUMNS = 1000
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

    `format` is that of the content, not of the name: "csv", "json", ...; with ".gz" if it is compressed
    (`Source.format_of`).
    `unit` is what row numbers count. `rows` yields every row in the file's order; it raises UnreadableFile, maybe late,
    if the file is damaged. `head` are the first readable rows. `warnings` and `notes` are about the file as a whole.
    `document` is the JSON object of the whole file, if it is one: its rows are then a part of it. `source` is the
    file's bytes; None for rows in memory. `beside` opens a companion file by its name, for a format that comes in
    several files; None if there is none.
    """

    name: str
    format: str
    columns: tuple[str, ...] = ()
    unit: Unit = "row"
    head: tuple[RawRow, ...] = ()
    rows: Callable[[], RawRows] = lambda: iter(())
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    document: Mapping[str, object] | None = None
    beside: Callable[[str], "Table | None"] = lambda _name: None
    source: Source | None = None

    def share_read(self) -> float:
        """Return the progress of the latest pass over the file, in [0, 1]; 1 for rows in memory."""
        return 1.0 if self.source is None else self.source.share_read()

    @property
    def first(self) -> Mapping[str, object]:
        """The values of the first readable row; empty if there is none."""
        return self.head[0].values if self.head else {}

    @property
    def whole(self) -> Mapping[str, object]:
        """The JSON object of the whole file, also if it is on one line; empty if the file is not an object."""
        return self.document or (self.first if len(self.head) == 1 else {})

    def with_rows(
        self, rows: Callable[[], RawRows], *, unit: Unit = "row", columns: Sequence[str] | None = None
    ) -> "Table":
        """Return the file with these rows: its own, or for a format those that are nested or split in it.

        Args:
            rows: starts a pass over the rows.
            unit: what the rows' numbers count.
            columns: the columns in order; None for those of the first thousand rows.

        Raises:
            UnreadableFile: there is no row, or none of the first thousand can be read.
        """
        head, found = _look_ahead(rows(), self.name, columns)
        return replace(self, rows=rows, unit=unit, columns=found, head=head)


def _look_ahead(rows: RawRows, name: str, columns: Sequence[str] | None) -> tuple[tuple[RawRow, ...], tuple[str, ...]]:
    """Return the first readable rows, and the given columns or those that the first thousand rows name."""
    head: list[RawRow] = []
    named: dict[str, None] = dict.fromkeys(columns or ())
    problem: RowProblem | None = None
    for row in islice(rows, _ROWS_FOR_COLUMNS if columns is None else _ROWS_FOR_HEAD):
        if isinstance(row, RowProblem):
            problem = problem or row
            continue
        if len(head) < _ROWS_FOR_HEAD:
            head.append(row)
        if columns is None:
            named.update(dict.fromkeys(row.values))
    if len(named) > COLUMNS:
        raise UnreadableFile(f"{name} has more than {COLUMNS:,} columns and is not a table of answers.")
    if not head and problem is None:
        raise UnreadableFile(f"{name} has {'a header line and ' if columns else ''}no rows.")
    if not head and columns is None:
        raise UnreadableFile(f"{name} has no row that can be read; the first is {problem}.")
    return tuple(head), tuple(named)


@contextmanager
def open_text(source: Source, codec: str, *, newline: str) -> Iterator[TextIO]:
    """Open a source as text whose encoding has been checked; `newline` as in `open`."""
    with source.open() as binary, io.TextIOWrapper(binary, encoding=codec, errors=ERRORS, newline=newline) as text:
        yield text


def lines_of(stream: TextIO, name: str) -> Iterator[str]:
    """Yield the lines of a stream; raises UnreadableFile for one that is longer than any real line."""
    number = 0
    while line := stream.readline(LINE + 1):
        number += 1
        if len(line) > LINE:
            raise UnreadableFile(f"Line {number} of {name} has more than {LINE:,} characters; is a line end missing?")
        yield line


def find_header(records: Sequence[Sequence[object]]) -> int:
    """Return the index of the header among a file's first records that are not empty; those before it are a title.

    A header below a title has two known names, and more cells than each record of the title.
    """
    widest = 0
    for at, record in enumerate(records[:_RECORDS_FOR_HEADER]):
        names = [str(cell) for cell in record if cell not in (None, "")]
        if len(names) > widest and sum(map(is_known_column, names)) > 1:
            return at
        widest = max(widest, len(names))
    return 0


_RECORDS_FOR_HEADER = 10


def read_header(records: Sequence[Sequence[object]]) -> tuple[int, tuple[str, ...], list[str]]:
    """Return the index of the header among a file's first records, the columns that it names, and notes about it."""
    at = find_header(records)
    given = ["" if cell is None else str(cell) for cell in records[at]]
    columns = unique_names(given)
    title = [preview_of(" ".join(str(cell) for cell in record if cell not in (None, ""))) for record in records[:at]]
    counts = Counter(given)
    repeated = [column for column, cell in zip(columns, given, strict=True) if counts[cell] > 1 and cell.strip()]
    notes = [f"Left out above the header: {', '.join(map(repr, title))}."] if title else []
    if repeated:
        notes.append(f"Columns with the same name are read as {', '.join(map(repr, repeated))}.")
    return at, columns, notes


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of columns, with "column_3" for a blank name and "name_2" for a repeated one.

    Characters that no store can hold, such as lone surrogates, become � in a name; otherwise every row would be
    refused.
    """
    unique: dict[str, None] = {}
    # The last number of each name, so thousands of equal names take no longer than different ones.
    counted: dict[str, int] = {}
    for position, name in enumerate(names, start=1):
        wanted = storable(name).strip() or f"column_{position}"
        candidate, number = wanted, counted.get(wanted, 2)
        while candidate in unique:
            candidate, number = f"{wanted}_{number}", number + 1
        counted[wanted] = number
        unique[candidate] = None
    return tuple(unique)
