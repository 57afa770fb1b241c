"""A run written to a file, row by row as the contract says."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from faithview.formats.export import write_rows
from faithview.services.container import Services
from faithview.services.documents import export_document
from faithview.store import labels

# Answers whose labels are read at a time.
_PAGE = 200


def export_run(services: Services, reference: str, *, destination: Path, file_format: str) -> int:
    """Write every answer of a run with its labels and return how many; the file appears only when it is complete.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the file cannot be written there.
    """
    run = services.get_run(reference)
    count = 0

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal count
        for document in export_documents(services, run.run_id):
            count += 1
            yield document

    write_rows(rows(), format=file_format, destination=destination)
    return count


def export_documents(services: Services, run_id: str) -> Iterator[dict[str, Any]]:
    """Yield every answer of a run as it is exported, in the order of the file; a few hundred are held at a time."""
    details = services.iterate_answers(run_id)
    has_labels = labels.has_labels(services.db, run_id)
    while page := list(islice(details, _PAGE)):
        given = {}
        if has_labels:
            given = labels.list_labels_between(services.db, run_id, page[0].position, page[-1].position)
        for detail in page:
            yield export_document(detail, given.get(detail.position, ()))
