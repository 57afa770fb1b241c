"""The rows of one imported run, stored batch by batch: the rows, their results, then what people said about them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from faithview.domain.result import Result
from faithview.domain.run import Run
from faithview.services.container import Services
from faithview.services.datasets import ReadReport
from faithview.services.imports.peoples_work import ImportedRow, PeopleInFile
from faithview.services.imports.results import to_result
from faithview.services.runs.intake.liveness import process_token, release_if_dead
from faithview.services.runs.intake.store_rows import OnStored, RowWriter
from faithview.store.review import imported
from faithview.store.review.imported import PeoplesWork
from faithview.store.runs import results as stored
from faithview.store.runs import runs, summaries

# How many labels and notes are stored in one transaction, so that no other writer waits for long; those of one row
# stay together.
_MOST_AT_ONCE = 500


@dataclass(slots=True, kw_only=True)
class Storing:
    """Stores the rows of an imported run; a kill at any point leaves a run that is continued without doubling anything.

    Rows are stored with the run's mark, results once for each row, and labels and notes together with the part of the
    mark that says which rows are complete.

    Attributes:
        services: the store.
        run: the run.
        writer: stores the rows.
        tool: the tool that wrote the file.
        report: is told what cannot be taken over.
        labels: how many labels are stored.
    """

    services: Services
    run: Run
    writer: RowWriter
    tool: str
    report: ReadReport
    labels: int = field(default=0, init=False)

    def store(self, batches: Iterable[Sequence[ImportedRow]], *, position: int, on_stored: OnStored | None) -> Run:
        """Store the batches, of which the first row has this position, and complete the run."""
        db, run = self.services.db, self.run
        worker = process_token()
        release_if_dead(db, run.run_id)
        runs.take_run(db, run.run_id, worker=worker, now=datetime.now(UTC))
        try:
            for batch in batches:
                self._store(batch, position, worker)
                position += len(batch)
                if on_stored is not None:
                    on_stored(position - 1)
        except BaseException as error:
            self.writer.stop(run, error)
            runs.release_dead_worker(db, run.run_id, worker=worker)
            raise
        run = self.writer.whole(run, rows_left_out=self.report.problem_count)
        run = imported.end_import(db, run, worker=worker, now=datetime.now(UTC))
        summaries.keep_summary(db, run)
        return run

    def _store(self, batch: Sequence[ImportedRow], position: int, worker: str) -> None:
        db, run = self.services.db, self.run
        missing = batch[max(0, self.writer.stored - position + 1) :]
        if missing:
            self.writer.add(run, [row.sample for row in missing])
        results = [to_result(row.judged, row.sample, judge=run.judge.name, threshold=run.threshold) for row in batch]
        judged = [
            (at, row.sample, result)
            for at, (row, result) in enumerate(zip(batch, results, strict=True), start=position)
        ]
        seconds = sum(result.seconds for result in results)
        stored.save_results(db, run.run_id, judged, worker=worker, now=datetime.now(UTC), seconds=seconds)
        for done, work in self._work(batch, results, position):
            now = datetime.now(UTC)
            imported.add_work(db, run.run_id, work, reader=self.writer.reader, done=done, now=now)
            self.writer.done = done
            self.labels += len(work.labels)

    def _work(
        self, batch: Sequence[ImportedRow], results: Sequence[Result], position: int
    ) -> Iterator[tuple[int, PeoplesWork]]:
        """Yield what people said about the rows in parts, each with the position of its last row."""
        people = PeopleInFile(run_id=self.run.run_id, tool=self.tool, report=self.report)
        part, last = PeoplesWork(), position + len(batch) - 1
        for at, (row, result) in enumerate(zip(batch, results, strict=True), start=position):
            labels = [(at, label) for label in people.labels(row, result)]
            part = replace(part, labels=[*part.labels, *labels], notes=[*part.notes, *people.notes(at, row, result)])
            if len(part.labels) + len(part.notes) >= _MOST_AT_ONCE and at < last:
                yield at, part
                part = PeoplesWork()
        yield last, part
