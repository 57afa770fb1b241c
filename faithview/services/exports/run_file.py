"""A run written to a file, one row per answer."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from faithview.domain.errors import InvalidInput
from faithview.domain.views import View
from faithview.formats.export import write_rows
from faithview.services.container import Services
from faithview.services.exports.run_document import export_document
from faithview.services.results.answers import iterate_answers
from faithview.services.results.runs import get_run
from faithview.store.review import labels
from faithview.store.review.teams import notes

# How many answers' labels are read at a time.
_PAGE = 200


def export_run(
    services: Services, reference: str, *, destination: Path, file_format: str, view: View = View.JUDGE
) -> int:
    """Write every answer of a run with its labels and return how many; the file appears only once it is complete.

    Args:
        services: the store.
        reference: the run's id or unique name.
        destination: the file.
        file_format: "jsonl", "csv" or "parquet".
        view: whose verdicts the states and scores follow; every row names it.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the file cannot be written, or the view is the corrected score.
    """
    if view is View.CORRECTED:
        raise InvalidInput(
            "The corrected score is an estimate for a whole run; single answers have none. Export the view reviewed, "
            "and see `faithview agreement RUN` for the estimate."
        )
    run = get_run(services, reference)
    count = 0

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal count
        for document in export_documents(services, run.run_id, view=view):
            count += 1
            yield document

    write_rows(rows(), format=file_format, destination=destination)
    return count


def export_documents(services: Services, run_id: str, *, view: View = View.JUDGE) -> Iterator[dict[str, Any]]:
    """Yield the export row of every answer of a run, in the order of the file, reading a few hundred at a time."""
    details = iterate_answers(services, run_id)
    has_labels, has_notes = labels.has_labels(services.db, run_id), notes.has_notes(services.db, run_id)
    while page := list(islice(details, _PAGE)):
        first, last = page[0].position, page[-1].position
        by_row = labels.list_labels_between(services.db, run_id, first, last) if has_labels else {}
        noted = notes.list_notes_between(services.db, run_id, first, last) if has_notes else {}
        for detail in page:
            position = detail.position
            yield export_document(detail, by_row.get(position, ()), notes=noted.get(position, ()), view=view)
