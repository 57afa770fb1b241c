"""The rows of one imported run, stored batch by batch: the rows, their results, then what people said about them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from faithview.domain.result import Result
from faithview.domain.run import Run
from faithview.services.container import Services
from faithview.services.datasets import ReadReport
from faithview.services.imports.given_checks import GivenChecks
from faithview.services.imports.peoples_work import ImportedRow, PeopleInFile
from faithview.services.imports.results import to_result
from faithview.services.runs.intake.liveness import end_work, process_token, release_if_dead
from faithview.services.runs.intake.store_rows import OnStored, RowWriter
from faithview.store.review import imported, review_columns
from faithview.store.review.imported import GivenLabel, PeoplesWork
from faithview.store.runs import results as stored
from faithview.store.runs import runs, summaries

# How many labels and notes are stored in one transaction, so that no other writer waits for long; those of one row
# stay together.
_MOST_AT_ONCE = 500


@dataclass(slots=True, kw_only=True)
class Storing:
    """Stores the rows of an imported run; a kill at any point leaves a run that is continued without doubling anything.

    Rows are stored with the run's mark, results once for each row, and labels and notes together with the part of the
    mark that says which rows are complete. Spot-checks, with the labels of the answers that they drew from, wait for
    the last row.

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
    _checks: GivenChecks = field(init=False)
    _checked: list[GivenLabel] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        """Begin without any spot-check."""
        self._checks = GivenChecks(run_id=self.run.run_id)

    def pass_over(self, position: int, row: ImportedRow) -> None:
        """Note what a row that is complete in the store says of spot-checks, which are stored after the last row."""
        if row.judged.spot_checks:
            self._note_checks(position, row, self._result(row))

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
            end_work(worker)
            self.writer.stop(run, error)
            runs.release_dead_worker(db, run.run_id, worker=worker)
            raise
        run = self.writer.whole(run, rows_left_out=self.report.problem_count)
        answers = review_columns.count_labelled(db, run.run_id, spot_check_id=0).answers
        checks = self._checks.taken_over(self.report, judged_answers=answers)
        run = imported.end_import(db, run, checks, self._checked, worker=worker, now=datetime.now(UTC))
        self.labels += len(self._checked)
        summaries.keep_summary(db, run)
        return run

    def _store(self, batch: Sequence[ImportedRow], position: int, worker: str) -> None:
        db, run = self.services.db, self.run
        missing = batch[max(0, self.writer.stored - position + 1) :]
        if missing:
            self.writer.add(run, [row.sample for row in missing])
        results = [self._result(row) for row in batch]
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
        people = self._people()
        part, last = PeoplesWork(), position + len(batch) - 1
        for at, (row, result) in enumerate(zip(batch, results, strict=True), start=position):
            labels: list[GivenLabel] = []
            if row.judged.spot_checks:
                self._note_checks(at, row, result)
            else:
                labels += people.labels(at, row, result)
            part = replace(part, labels=[*part.labels, *labels], notes=[*part.notes, *people.notes(at, row, result)])
            if len(part.labels) + len(part.notes) >= _MOST_AT_ONCE and at < last:
                yield at, part
                part = PeoplesWork()
        yield last, part

    def _note_checks(self, position: int, row: ImportedRow, result: Result) -> None:
        self._checks.collect(position, row.judged.spot_checks, result)
        self._checked += self._people().labels(position, row, result)

    def _people(self) -> PeopleInFile:
        return PeopleInFile(run_id=self.run.run_id, tool=self.tool, report=self.report)

    def _result(self, row: ImportedRow) -> Result:
        return to_result(row.judged, row.sample, judge=self.run.judge.name, threshold=self.run.threshold)
