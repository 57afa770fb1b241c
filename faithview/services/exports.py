"""A run written to a file, row by row as the contract says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from faithview.formats.export import write_rows
from faithview.services.container import Services
from faithview.services.documents import export_document


def export_run(services: Services, reference: str, *, destination: Path, file_format: str) -> int:
    """Write every answer of a run and return how many; the file appears only when it is complete.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the file cannot be written there.
    """
    run = services.get_run(reference)
    count = 0

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal count
        for detail in services.iterate_answers(run.run_id):
            count += 1
            yield export_document(detail)

    write_rows(rows(), format=file_format, destination=destination)
    return count
