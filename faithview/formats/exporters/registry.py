"""The exporters of all formats."""

from faithview.domain.errors import InvalidInput
from faithview.formats.exporters import csv_jsonl_parquet, other_tools
from faithview.formats.exporters.exporter import Exporter

EXPORTERS: tuple[Exporter, ...] = (
    *csv_jsonl_parquet.EXPORTERS,
    other_tools.RAGAS,
    other_tools.DEEPEVAL,
    other_tools.LANGSMITH,
)


def exporter_named(name: str) -> Exporter:
    """Return the exporter with that name.

    Raises:
        InvalidInput: there is none; the text lists the known ones.
    """
    for exporter in EXPORTERS:
        if exporter.name == name:
            return exporter
    raise InvalidInput(f"There is no export format {name!r}; known are {', '.join(one.name for one in EXPORTERS)}.")
