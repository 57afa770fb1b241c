"""A run written to a file, one row per answer."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from faithview.domain.errors import InvalidInput
from faithview.domain.views import View
from faithview.formats.exporters.exporter import ExportedRun
from faithview.formats.exporters.registry import list_exporters, write_run
from faithview.formats.files.atomic_file import atomic_file
from faithview.services.container import Services
from faithview.services.exports.run_document import export_document
from faithview.services.exports.run_files.drawn_claims import DrawnClaims
from faithview.services.results.answers import iterate_answers
from faithview.services.results.runs import get_run, get_summary
from faithview.store.review import labels
from faithview.store.review.teams import notes

__all__ = ["export_documents", "export_run", "run_bytes"]

# How many answers' labels are read at a time.
_PAGE = 200


def export_run(
    services: Services, reference: str, *, destination: Path, file_format: str = "jsonl", view: View = View.JUDGE
) -> int:
    """Write every answer of a run with its labels and return how many; the file appears only once it is complete.

    Args:
        services: the store.
        reference: the run's id or unique name.
        destination: the file.
        file_format: "jsonl", "csv", "parquet", the shape of another tool ("ragas", say) or that of a plug-in.
        view: whose verdicts the states and scores follow; every row names it.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the format is unknown, the file cannot be written, or the view is the corrected score.
    """
    exporter = list_exporters().named(file_format)
    exported = _exported(services, reference, view=view)
    with atomic_file(destination) as temporary:
        write_run(exporter, exported, temporary)
    return get_summary(services, exported.run_id).rows


def run_bytes(services: Services, reference: str, *, file_format: str, view: View = View.JUDGE) -> bytes:
    """Return what `export_run` writes as bytes; raises as it does."""
    exporter = list_exporters().named(file_format)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        write_run(exporter, _exported(services, reference, view=view), path)
        return path.read_bytes()


def _exported(services: Services, reference: str, *, view: View) -> ExportedRun:
    if view is View.CORRECTED:
        raise InvalidInput(
            "The corrected score is an estimate for a whole run; single answers have none. Export the view reviewed, "
            "and see `faithview agreement RUN` for the estimate."
        )
    run = get_run(services, reference)
    return ExportedRun(
        run_id=run.run_id,
        name=run.name,
        judge=run.judge.name,
        view=view.value,
        rows=lambda: export_documents(services, run.run_id, view=view),
    )


def export_documents(services: Services, run_id: str, *, view: View = View.JUDGE) -> Iterator[dict[str, Any]]:
    """Yield the export row of every answer of a run, in the order of the file, reading a few hundred at a time."""
    details = iterate_answers(services, run_id)
    has_labels, has_notes = labels.has_labels(services.db, run_id), notes.has_notes(services.db, run_id)
    drawn = DrawnClaims(services, run_id)
    while page := list(islice(details, _PAGE)):
        first, last = page[0].position, page[-1].position
        drawn.load(first, last)
        by_row = labels.list_labels_between(services.db, run_id, first, last) if has_labels else {}
        noted = notes.list_notes_between(services.db, run_id, first, last) if has_notes else {}
        for detail in page:
            position = detail.position
            yield export_document(
                detail,
                by_row.get(position, ()),
                notes=noted.get(position, ()),
                spot_checks=drawn.of_row(position),
                view=view,
            )
