"""One pass over a table: each row becomes something, or is refused with its line and the reason."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from faithview.domain.errors import InvalidSample
from faithview.formats.files.report import ReadReport, RowProblem, preview_of
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.rows.cells import BadCell, is_missing

Made = TypeVar("Made")


def each_row(
    table: Table, make: Callable[[RawRow], Made], report: ReadReport, *, rows: RawRows | None = None
) -> Iterator[Made | RowProblem]:
    """Yield what `make` returns for each row; a row that it refuses is a problem and does not stop the others.

    The report gets the table's warnings and notes, and counts the rows while they are read; empty ones are left out.

    Args:
        table: the table.
        make: raises BadCell or InvalidSample for a row that cannot be used.
        report: `report.rows` is the number of the row that `make` gets, from 1.
        rows: the rows, if they are not those of the table.

    Raises:
        UnreadableFile: later, if the file turns out to be damaged.
    """
    for warning in table.warnings:
        report.warn(warning)
    for note in table.notes:
        report.note(note)
    for row in table.rows() if rows is None else rows:
        report.rows += 1
        if isinstance(row, RowProblem):
            report.add_problem(row)
            yield row
            continue
        cells = [str(value) for value in row.values.values() if not is_missing(value)]
        if not cells:
            report.empty += 1
            continue
        try:
            made = make(row)
        except (BadCell, InvalidSample) as error:
            reason = str(error).removesuffix(".")
            reason = reason[:1].lower() + reason[1:]  # it is a part of the sentence "line 7: no answer"
            problem = RowProblem(line=row.line, reason=reason, preview=preview_of(" | ".join(cells)), unit=table.unit)
            report.add_problem(problem)
            yield problem
        else:
            report.usable += 1
            yield made
