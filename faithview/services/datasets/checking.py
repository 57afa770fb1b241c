"""The first of two passes over a file of answers: what is in it, so that the second one can store its rows at once."""

from collections.abc import Callable
from dataclasses import dataclass

from faithview.formats.files.report import ReadReport
from faithview.services.datasets.files import Dataset, note_date_order


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCheck:
    """What a first pass has found: the file as it is to be read, and the report on its rows; none of them is kept."""

    dataset: Dataset
    report: ReadReport


def check_file(dataset: Dataset, *, limit: int | None = None, on_row: Callable[[], None] | None = None) -> FileCheck:
    """Read a file of answers once, from start to end or up to the limit, and return what there is.

    Args:
        dataset: the file.
        limit: the most usable rows to read; None for all.
        on_row: called after each usable row.

    Raises:
        InvalidInput: no column holds the answer or the contexts.
        UnreadableFile: the file is damaged, or no row of it can be used.
    """
    report = ReadReport()
    for _ in dataset.stream(limit=limit, report=report):
        if on_row is not None:
            on_row()
    settled = dataset.settled(report)
    if settled is not dataset:
        note_date_order(report, settled)
    return FileCheck(dataset=settled, report=report)
