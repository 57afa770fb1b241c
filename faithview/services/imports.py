"""Another tool's file as a run: its rows with the tool's results, and human annotations as labels.

It is stored in batches: the rows, their results, then the labels. An error deletes the run. If the process is killed,
the run says that rows are missing, and importing the file again replaces it.

"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import TypeAlias

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.label import Label, Note
from faithview.domain.run import IMPORTED, JudgeSpec, RunStatus, RunSummary
from faithview.domain.sample import find_unstorable
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.series import name_judged_by
from faithview.formats.files.report import ReadReport, preview_of
from faithview.formats.reading.score_columns import ScoreCheck
from faithview.services.container import Store
from faithview.services.dataset_files import Dataset, check_answered, note_date_order
from faithview.services.import_labels import ImportedRow, PeopleInFile
from faithview.services.import_rows import judged_row, to_result
from faithview.services.results import get_summary
from faithview.services.runs.create import RunRequest, describe_run, named_series
from faithview.services.runs.intake import OnStored, RowWriter, batches_of, text_size, writing
from faithview.store import intake, results, summaries
from faithview.store.database import Database
from faithview.store.reviews import apply_earlier_labels

OnRow: TypeAlias = Callable[[], None]

_MOST_NAMES = 3
_MAX_JUDGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """The settings of an imported run.

    Attributes:
        name: the run's name; None combines the names of the file and the judge.
        threshold: the faithfulness, in [0, 1], from which an answer is faithful.
        kb_version: the version of the knowledge base; None if unknown.
        series: the run's series; None takes it from the rows, or from the file's name.
        limit: the maximum number of usable rows; None for all.
    """

    name: str | None = None
    threshold: float = DEFAULT_THRESHOLD
    kb_version: str | None = None
    series: str | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRun:
    """A run that was imported: its figures, how many labels came with it, and the report on the file."""

    summary: RunSummary
    labels: int
    report: ReadReport


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundResults:
    """The result of a first pass over a file with another tool's results; the rows are not kept.

    Attributes:
        dataset: the dataset to read.
        rows: how many rows can be used.
        limit: the maximum number of rows; None for all.
        judge: the judge: the names in the rows, or else the tool.
        tool: the tool that wrote the file.
        series: the series that every row names; None if they do not.
        report: the report on rows that cannot be used.
    """

    dataset: Dataset
    rows: int
    limit: int | None
    judge: str
    tool: str
    series: str | None
    report: ReadReport


def find_results(dataset: Dataset, *, limit: int | None = None, on_row: OnRow | None = None) -> FoundResults:
    """Read a file once and return a summary of another tool's results; nothing is stored.

    Args:
        dataset: the file.
        limit: the maximum number of usable rows; None for all.
        on_row: called after each row.

    Raises:
        InvalidInput: a question about the file is open, possibly because of a late row, or the file has no results.
        UnreadableFile: the file is damaged, no row of it can be used, or none has a result.
    """
    check_answered(dataset, for_results=True)
    mapping = dataset.mapping
    if not dataset.detection.match.has_results and not any(
        (mapping.score, mapping.hallucination, mapping.claims, mapping.error)
    ):
        raise InvalidInput(
            f"{dataset.table.name} has no column that is known to hold faithfulness scores or claims. Name one with "
            "--map score=COLUMN or --map claims=COLUMN, or judge the answers with `faithview evaluate`."
        )
    report = ReadReport()
    judges: Counter[str] = Counter()
    series: set[object] = set()
    rows, has_result, first_error = 0, False, None
    check = dataset.score_check()
    for row in _imported_rows(dataset, limit=limit, report=report, check=check):
        rows += 1
        judges[row.judged.judge] += 1
        series.add(named_series(row.sample))
        has_result = has_result or row.judged.score is not None or bool(row.judged.claims or row.judged.state)
        first_error = first_error or row.judged.error
        if on_row is not None:
            on_row()
    for question in check.questions():
        raise InvalidInput(f"{dataset.table.name}: {question}")
    settled = dataset.settled(report)
    if settled is not dataset:
        note_date_order(report, settled)
    if not has_result:
        why = f" The first: {preview_of(first_error).rstrip('.')}." if first_error else ""
        raise UnreadableFile(f"No row of {dataset.table.name} has a result.{why}")
    tool = _tool(dataset)
    shared = next(iter(series)) if len(series) == 1 else None
    return FoundResults(
        dataset=settled,
        rows=rows,
        limit=limit,
        judge=_judge_of(judges, tool),
        tool=tool,
        series=shared if isinstance(shared, str) else None,
        report=report,
    )


def iterate_results(found: FoundResults) -> Iterator[ImportedRow]:
    """Read the file again and yield the rows of the first pass with the tool's results."""
    return _imported_rows(found.dataset, limit=found.limit, report=None)


def _imported_rows(
    dataset: Dataset, *, limit: int | None, report: ReadReport | None, check: ScoreCheck | None = None
) -> Iterator[ImportedRow]:
    reader = dataset.detection.reader
    for row in dataset.stream(needs_chunks=False, limit=limit, report=report):
        if check is not None:
            check.see(row)
        yield ImportedRow(sample=row.sample, judged=judged_row(reader, row))


def _judge_of(judges: Counter[str], tool: str) -> str:
    names = [name for name, _ in judges.most_common() if name]
    shown = ", ".join(names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    name = f"{shown} and {more} more" if more > 0 else shown or tool
    return name[:_MAX_JUDGE] if find_unstorable(name) is None else tool


def import_run(
    store: Store,
    found: FoundResults,
    request: ImportRequest,
    *,
    on_stored: OnStored | None = None,
) -> ImportedRun:
    """Store the rows of a file with the tool's results as a run; nothing is judged.

    Args:
        store: the store.
        found: the file, which is read a second time.
        request: the settings of the run.
        on_stored: called with the number of rows that are stored so far.

    Raises:
        InvalidInput: the threshold, or the name of the run or of its series, is invalid.
        UnreadableFile: the file changed in the meantime; nothing is stored.
    """
    dataset, judge = found.dataset, found.judge
    run_request = RunRequest(
        name=request.name or name_judged_by(dataset.short_name, judge),
        judge=JudgeSpec(name=judge, method=IMPORTED, options={"format": dataset.detection.schema}),
        threshold=request.threshold,
        kb_version=request.kb_version,
        source=dataset.table.name,
        use_cache=False,
        rows_left_out=found.report.problem_count,
        series=request.series or found.series,
    )
    batches = batches_of(iterate_results(found), size=lambda row: text_size(row.sample))
    first = next(batches, None)
    if first is None:
        raise UnreadableFile(f"{dataset.table.name} was changed while it was read; import it again.")
    run, _ = describe_run([row.sample for row in first], run_request, fingerprint=f"{IMPORTED} {judge}")
    people = PeopleInFile(run_id=run.run_id, tool=found.tool, report=found.report)
    count = 0
    with writing(store.db, run) as writer:
        for batch in chain([first], batches):
            count += _store_batch(store.db, writer, batch, people)
            if on_stored is not None:
                on_stored(writer.stored)
        apply_earlier_labels(store.db, run.run_id)
        run = writer.end(rows_left_out=found.report.problem_count, status=RunStatus.COMPLETE)
    summaries.keep_summary(store.db, run)
    return ImportedRun(summary=get_summary(store, run.run_id), labels=count, report=found.report)


def _store_batch(db: Database, writer: RowWriter, batch: Sequence[ImportedRow], people: PeopleInFile) -> int:
    """Store rows, their results, labels and notes; return how many labels there were."""
    first = writer.stored + 1
    writer.add([row.sample for row in batch])
    run = writer.run
    judged = [
        (at, row.sample, to_result(row.judged, row.sample, judge=run.judge.name, threshold=run.threshold))
        for at, row in enumerate(batch, start=first)
    ]
    seconds = sum(result.seconds for _, _, result in judged)
    now = datetime.now(UTC)
    results.save_results(db, run.run_id, judged, worker=writer.reader, now=now, seconds=seconds)
    labels, notes = list[tuple[int, Label]](), list[Note]()
    for row, (at, _, result) in zip(batch, judged, strict=True):
        labels += people.labels(at, row, result)
        notes += people.notes(at, row, result)
    if labels or notes:
        intake.add_work(db, run.run_id, labels=labels, notes=notes, reader=writer.reader, now=datetime.now(UTC))
    return len(labels)


def _tool(dataset: Dataset) -> str:
    is_known = dataset.detection.reader.judged is not None or not dataset.is_by_name
    return dataset.detection.reader.tool if is_known else dataset.mapping.score or "another tool"
