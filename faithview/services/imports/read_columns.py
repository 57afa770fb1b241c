"""Which columns of a file a tool's result is read from, besides those that the mapping names.

No reader lists them: the first rows are read, and what the reader looks at is noted.
"""

from collections.abc import Mapping

from faithview.domain.sample import Sample
from faithview.formats.reading.reader import Row
from faithview.formats.rows.paths import parsed
from faithview.formats.rows.samples import SampleReader
from faithview.services.datasets import RESULT_FIELDS, Dataset, ReadReport
from faithview.services.imports.results import judged_row


class ReadCells(dict[str, object]):
    """The cells of a row, which note in `names` those that are looked at by name."""

    def __init__(self, cells: Mapping[str, object]) -> None:
        """Take the cells; none is looked at yet."""
        super().__init__(cells)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> object:
        """Note the name and return the cell."""
        self.names.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: object = None) -> object:
        """Note the name and return the cell."""
        self.names.add(name)
        return super().get(name, default)


def list_read_columns(dataset: Dataset) -> dict[str, bool]:
    """Return the columns that the reader finds a result in, besides those that the mapping names.

    Returns:
        Each column, with whether a person may say that it is something else: it is kept and holds plain values, which
        could be the score. Lists and objects only the reader knows.
    """
    mapping, report = dataset.mapping, ReadReport()
    reader = SampleReader(table=dataset.table, mapping=mapping, report=report)
    read: set[str] = set()
    for raw in dataset.table.head:
        sample = reader.read(raw)
        if isinstance(sample, Sample):
            cells = ReadCells(raw.values)
            judged_row(dataset.detection.reader, Row(cells, sample, mapping))
            read |= cells.names
    said = {*mapping.columns, *(getattr(mapping, name) for name in RESULT_FIELDS)}
    return {
        name: name not in mapping.ignore and all(_is_plain(row.values.get(name)) for row in dataset.table.head)
        for name in dataset.table.columns
        if name in read and name not in said
    }


def _is_plain(value: object) -> bool:
    return not isinstance(parsed(value), Mapping | list | tuple)
