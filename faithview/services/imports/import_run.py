"""Another tool's file as a run: its rows with the tool's results, and people's annotations as labels."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeAlias

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.run import IMPORTED, JudgeSpec, Run, RunSummary
from faithview.domain.sample import find_unstorable
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.series import name_judged_by
from faithview.formats.files.report import preview_of
from faithview.formats.reading.score_columns import ScoreCheck
from faithview.services.container import Services
from faithview.services.datasets import Dataset, FileOrigin, ReadReport, note_date_order
from faithview.services.datasets.asking import check_answered
from faithview.services.datasets.named import place_older_runs
from faithview.services.imports.peoples_work import ImportedRow
from faithview.services.imports.results import judged_row
from faithview.services.imports.store_results import Storing
from faithview.services.results.runs import get_summary
from faithview.services.runs.create import RunRequest, describe_run, named_dataset, named_series
from faithview.services.runs.intake.read_on import reopen
from faithview.services.runs.intake.store_rows import OnStored, RowWriter, batches_of, text_size

OnRow: TypeAlias = Callable[[], None]

_MOST_NAMES = 3
_MAX_JUDGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """What to store about an imported run.

    Attributes:
        name: the run's name; None makes one of the file's name and the judge's.
        threshold: the faithfulness, in [0, 1], from which an answer is faithful.
        kb_version: the version of the knowledge base; None if unknown.
        series: the run's series; None works it out.
        dataset: the data set that its rows are of; None works it out.
        limit: how many usable rows to take; None for all.
    """

    name: str | None = None
    threshold: float = DEFAULT_THRESHOLD
    kb_version: str | None = None
    series: str | None = None
    dataset: str | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRun:
    """A run that was imported: its figures, how many labels came with it, and the report on the file."""

    summary: RunSummary
    labels: int
    report: ReadReport


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundResults:
    """What a first pass over a file with another tool's results has found; the rows themselves are not kept.

    Attributes:
        dataset: the file as it is to be read.
        rows: how many rows can be used.
        limit: the most that were wanted; None for all.
        judge: who judged: the name in the rows, several of them, else the tool.
        tool: the tool that wrote the file.
        series: the series that every row names; None where they do not.
        report: on the rows that cannot be used.
    """

    dataset: Dataset
    rows: int
    limit: int | None
    judge: str
    tool: str
    series: str | None
    report: ReadReport


def find_results(dataset: Dataset, *, limit: int | None = None, on_row: OnRow | None = None) -> FoundResults:
    """Read a file once and return what there is of another tool's results; nothing is stored.

    Args:
        dataset: the file.
        limit: the most usable rows to read; None for all.
        on_row: called after each row.

    Raises:
        InvalidInput: something has to be asked, also because of a row far down, or the file has no results.
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
    for row in _rows(dataset, limit=limit, report=report, check=check):
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
    """Yield the rows that the first pass has found, with the tool's results, as the file is read again."""
    return _rows(found.dataset, limit=found.limit, report=None)


def _rows(
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
    services: Services,
    found: FoundResults,
    request: ImportRequest,
    *,
    origin: FileOrigin | None = None,
    on_stored: OnStored | None = None,
) -> ImportedRun:
    """Store the rows of a file with the tool's results as a run; nothing is judged.

    Args:
        services: the store.
        found: the file, which is read a second time.
        request: what to store about the run.
        origin: where the file is, so that `read_on` can continue if this is stopped.
        on_stored: called with the number of rows that are stored so far.

    Raises:
        InvalidInput: the threshold or the name of the run, of its series or of its data set is invalid.
        UnreadableFile: the file was changed meanwhile; the run stays with the rows until then and says so.
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
        dataset=request.dataset,
    )
    place_older_runs(services)
    batches = batches_of(iterate_results(found), size=lambda row: text_size(row.sample))
    first = next(batches, None)
    if first is None:
        raise UnreadableFile(f"{dataset.table.name} was changed while it was read; import it again.")
    run, _ = describe_run([row.sample for row in first], run_request, fingerprint=f"{IMPORTED} {judge}")
    writer = RowWriter(db=services.db, has_results=True)
    run = writer.begin(
        run,
        [row.sample for row in first],
        origin=None if origin is None else origin.document(),
        dataset=named_dataset(run_request),
    )
    storing = Storing(services=services, run=run, writer=writer, tool=found.tool, report=found.report)
    storing.store(chain([first], batches), position=1, on_stored=on_stored)
    return _imported(services, storing)


def continue_import(services: Services, run: Run, *, on_stored: OnStored | None = None) -> ImportedRun:
    """Store the rows of an imported run that are missing, because importing was stopped.

    Raises:
        InvalidInput: the run is complete, or its file cannot be opened again as it was.
        RunConflict: another process imports it.
    """
    dataset, intake = reopen(services, run)
    writer = RowWriter(db=services.db, has_results=True)
    writer.take(intake)
    limit = FileOrigin.of(intake.origin or {}).limit
    report = ReadReport()
    rows = _rows(dataset, limit=limit, report=report)
    storing = Storing(services=services, run=run, writer=writer, tool=_tool(dataset), report=report)
    for position, row in enumerate(islice(rows, intake.done), start=1):
        storing.pass_over(position, row)
    batches = batches_of(rows, size=lambda row: text_size(row.sample))
    storing.store(batches, position=intake.done + 1, on_stored=on_stored)
    return _imported(services, storing)


def _imported(services: Services, storing: Storing) -> ImportedRun:
    summary = get_summary(services, storing.run.run_id)
    return ImportedRun(summary=summary, labels=storing.labels, report=storing.report)


def _tool(dataset: Dataset) -> str:
    is_known = dataset.detection.reader.judged is not None or not dataset.is_by_name
    return dataset.detection.reader.tool if is_known else dataset.mapping.score or "another tool"
