"""Reading on in the file of a run where somebody was stopped: its missing rows are stored, ready to be judged."""

from itertools import islice

from faithview.domain.errors import InvalidInput, RunConflict
from faithview.domain.run import Run
from faithview.services.container import Services
from faithview.services.datasets import Dataset, FileOrigin, ReadReport
from faithview.services.runs.intake.store_rows import OnStored, RowsToStore, RowWriter, batches_of, text_size
from faithview.services.runs.pending import is_read_on
from faithview.store.runs.intake.marks import Intake, find_intake


def is_cut_short(services: Services, run: Run) -> bool:
    """Return whether rows of the run's file are missing and nobody is reading them."""
    intake = find_intake(services.db, run.run_id)
    return intake is not None and not is_read_on(intake)


def reopen(services: Services, run: Run) -> tuple[Dataset, Intake]:
    """Open the file of a run again and return it with the run's mark.

    Raises:
        InvalidInput: no row of it is missing, or the file cannot be opened as it was.
        RunConflict: somebody is reading it.
    """
    intake = find_intake(services.db, run.run_id)
    if intake is None:
        raise InvalidInput(f"Run {run.run_id} has all rows of its file.")
    if is_read_on(intake):
        raise RunConflict(f"The file of run {run.run_id} is being read by another process; wait for it.")
    if intake.origin is None:
        raise InvalidInput(f"{intake.words} It was uploaded or piped: upload or pipe it again to judge it.")
    return FileOrigin.of(intake.origin).open(), intake


def read_on(services: Services, run: Run, *, on_stored: OnStored | None = None) -> Run:
    """Store the rows of a run's file that are missing; raises as `reopen` does."""
    dataset, intake = reopen(services, run)
    writer = RowWriter(db=services.db)
    writer.take(intake)
    report = ReadReport()
    limit = FileOrigin.of(intake.origin or {}).limit
    samples = dataset.samples(limit=limit, report=report)
    rest = RowsToStore(
        run=run,
        writer=writer,
        batches=batches_of(islice(samples, writer.stored, None), size=text_size),
        rows_left_out=lambda: report.problem_count,
    )
    return rest.store(on_stored)
