"""Another tool's file as a run: its rows with the tool's results, and human annotations as labels.

A file is read twice: `find_results` checks all of it and stores nothing, `import_run` stores its rows in batches, each
with its results and then its labels and notes. An error deletes the run. If the process is killed, the run says that
rows are missing, and importing the file again replaces it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, islice
from typing import TypeAlias

from faithview.domain.claim import Claim, ClaimRef
from faithview.domain.errors import InvalidInput, MissingColumn, UnreadableFile
from faithview.domain.label import NOT_A_CLAIM, Label, Note
from faithview.domain.mapping import FIELDS, RESULT_FIELDS
from faithview.domain.result import Result, State
from faithview.domain.run import IMPORTED, JudgeSpec, RunStatus, RunSummary
from faithview.domain.sample import Sample, find_unstorable
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.series import name_judged_by
from faithview.formats.files.report import ReadReport, RowProblem, preview_of
from faithview.formats.read import read_rows
from faithview.formats.reading.reader import Annotation, Judged, Reader, Row
from faithview.formats.reading.score_columns import ScoreCheck, by_columns
from faithview.formats.rows.cells import BadCell
from faithview.formats.rows.mapping import SETTINGS
from faithview.services.container import Store
from faithview.services.dataset_files import Dataset
from faithview.services.results import get_summary
from faithview.services.review.labels import LabelProvenance, build_label, build_missed_claim
from faithview.services.review.notes import build_note
from faithview.services.runs.create import RunRequest, describe_run, named_series
from faithview.services.runs.intake import OnStored, RowWriter, batches_of, text_size, writing
from faithview.services.runs.judge_answer import checked
from faithview.store import intake, summaries
from faithview.store import results as stored_results
from faithview.store.database import Database
from faithview.store.reviews import apply_earlier_labels

# A row with the tool's result.
ImportedRow: TypeAlias = tuple[Sample, Judged]

_MOST_NAMES = 3
_MAX_JUDGE = 200
_PREVIEWED_ROWS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRun:
    """A run that was imported: its figures, how many labels came with it, and the report on the file."""

    summary: RunSummary
    labels: int
    report: ReadReport


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewedRow:
    """One of the first rows of a file: its answer, with another tool's result if that is read; or its `problem`."""

    sample: Sample | None = None
    result: Result | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """How a file is read, before anything is stored.

    Attributes:
        file: the file's name.
        content: its type, such as CSV.
        format: the name of the format that it is read as; `title` is its name for people.
        fields: the columns of each field.
        settings: other settings of the mapping.
        kept_columns: other columns, which are kept with the rows.
        questions: what the user has to answer first.
        warnings: warnings about the file.
        notes: notes on the file and on reading its rows.
        rows: the first rows.
        problem: why the rows cannot be read.
    """

    file: str
    content: str
    format: str
    title: str
    fields: Mapping[str, str | tuple[str, ...]]
    settings: Mapping[str, str]
    kept_columns: Sequence[str]
    questions: Sequence[object]
    warnings: Sequence[str]
    notes: Sequence[str]
    rows: Sequence[PreviewedRow]
    problem: str | None


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

    def iterate(self) -> Iterator[ImportedRow]:
        """Read the file again and yield the rows of the first pass with the tool's results."""
        return _read_results(self.dataset, limit=self.limit)


def find_results(
    dataset: Dataset, *, limit: int | None = None, on_row: Callable[[], None] | None = None
) -> FoundResults:
    """Read a file once and return a summary of another tool's results; nothing is stored.

    Args:
        dataset: the file.
        limit: the maximum number of usable rows; None for all.
        on_row: called after each row.

    Raises:
        InvalidInput: a question about the file is open, possibly because of a late row, or the file has no results.
        UnreadableFile: the file is damaged, no row of it can be used, or none has a result.
    """
    dataset.check_answered(for_results=True)
    name, mapping = dataset.table.name, dataset.mapping
    if not dataset.detection.has_results and not any(
        (mapping.score, mapping.hallucination, mapping.claims, mapping.error)
    ):
        raise InvalidInput(
            f"{name} has no column that is known to hold faithfulness scores or claims. Name one with "
            "--map score=COLUMN or --map claims=COLUMN, or judge the answers with `faithview evaluate`."
        )
    report, check = ReadReport(), dataset.score_check()
    judges: Counter[str] = Counter()
    series: set[object] = set()
    has_result, first_error = False, None
    for sample, judged in _read_results(dataset, limit=limit, report=report, check=check):
        judges[judged.judge] += 1
        series.add(named_series(sample))
        has_result = has_result or judged.score is not None or bool(judged.claims or judged.state)
        first_error = first_error or judged.error
        if on_row is not None:
            on_row()
    for question in check.questions():
        raise InvalidInput(f"{name}: {question}")
    settled = dataset.settled(report)
    if not has_result:
        why = f" The first: {preview_of(first_error).rstrip('.')}." if first_error else ""
        raise UnreadableFile(f"No row of {name} has a result.{why}")
    shared, tool = series.pop() if len(series) == 1 else None, _tool_of(dataset)
    return FoundResults(
        dataset=settled,
        rows=judges.total(),
        limit=limit,
        judge=_judge_of(judges) or tool,
        tool=tool,
        series=shared if isinstance(shared, str) else None,
        report=report,
    )


def _judge_of(judges: Counter[str]) -> str:
    """Return the judges that the rows name, the most frequent first; "" if they name none that can be stored."""
    names = [name for name, _ in judges.most_common() if name]
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    name = ", ".join(names[:_MOST_NAMES]) + more
    return name[:_MAX_JUDGE] if find_unstorable(name) is None else ""


def _tool_of(dataset: Dataset) -> str:
    is_known = dataset.detection.reader.judged is not None or not dataset.is_by_name
    return dataset.detection.reader.tool if is_known else dataset.mapping.score or "another tool"


def _read_results(
    dataset: Dataset, *, limit: int | None, report: ReadReport | None = None, check: ScoreCheck | None = None
) -> Iterator[ImportedRow]:
    reader = dataset.detection.reader
    for row in dataset.stream(needs_chunks=False, limit=limit, report=report):
        if check is not None:
            check.see(row)
        yield row.sample, _judged(reader, row)


def _judged(reader: Reader, row: Row) -> Judged:
    """Return the tool's result of a row; a result that cannot be read is a failed one with the reason."""
    try:
        return (reader.judged or by_columns)(row)
    except BadCell as error:
        return Judged(error=f"The result cannot be read: {error}.")


def import_run(
    store: Store,
    found: FoundResults,
    *,
    name: str | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    kb_version: str | None = None,
    series: str | None = None,
    on_stored: OnStored | None = None,
) -> ImportedRun:
    """Store the rows of a file with the tool's results as a run; nothing is judged.

    Args:
        store: the store.
        found: the file, which is read a second time.
        name: the run's name; None combines the names of the file and the judge.
        threshold: the faithfulness, in [0, 1], from which an answer is faithful.
        kb_version: the version of the knowledge base; None if unknown.
        series: the run's series; None takes it from the rows, or from the file's name.
        on_stored: called with the number of rows that are stored so far.

    Raises:
        InvalidInput: the threshold, or the name of the run or of its series, is invalid.
        UnreadableFile: the file changed in the meantime; nothing is stored.
    """
    dataset, judge = found.dataset, found.judge
    request = RunRequest(
        name=name or name_judged_by(dataset.short_name, judge),
        judge=JudgeSpec(name=judge, method=IMPORTED, options={"format": dataset.detection.reader.name}),
        threshold=threshold,
        kb_version=kb_version,
        source=dataset.table.name,
        use_cache=False,
        rows_left_out=found.report.problem_count,
        series=series or found.series,
    )
    batches = batches_of(found.iterate(), size=lambda row: text_size(row[0]))
    first = next(batches, [])
    if not first:
        raise UnreadableFile(f"{dataset.table.name} was changed while it was read; import it again.")
    run = describe_run([sample for sample, _ in first], request, fingerprint=f"{IMPORTED} {judge}")
    labelled = 0
    with writing(store.db, run) as writer:
        for batch in chain([first], batches):
            labelled += _store_batch(store.db, writer, batch, tool=found.tool, report=found.report)
            if on_stored is not None:
                on_stored(writer.stored)
        apply_earlier_labels(store.db, run.run_id)
        run = writer.end(rows_left_out=found.report.problem_count, status=RunStatus.COMPLETE)
    summaries.keep_summary(store.db, run)
    return ImportedRun(summary=get_summary(store, run.run_id), labels=labelled, report=found.report)


def _store_batch(
    db: Database, writer: RowWriter, batch: Sequence[ImportedRow], *, tool: str, report: ReadReport
) -> int:
    """Store rows, their results, labels and notes; return how many labels there were."""
    first = writer.stored + 1
    writer.add([sample for sample, _ in batch])
    run, now = writer.run, datetime.now(UTC)
    judged = [
        (at, sample, to_result(found, sample, judge=run.judge.name, threshold=run.threshold))
        for at, (sample, found) in enumerate(batch, start=first)
    ]
    seconds = sum(result.seconds for _, _, result in judged)
    stored_results.save_results(db, run.run_id, judged, worker=writer.reader, now=now, seconds=seconds)
    labels: list[tuple[int, Label]] = []
    notes: list[Note] = []
    for (position, sample, result), (_, found) in zip(judged, batch, strict=True):
        own = _labels(found.annotations, sample, result, author=f"{tool} annotator", report=report)
        labels += [(position, label) for label in own]
        for remark in found.remarks:
            place = ClaimRef(run_id=run.run_id, row=position, claim_number=remark.claim_number)
            try:
                _check_number(remark.claim_number, result)
                notes.append(build_note(place, remark.text, author=remark.author, at=remark.at))
            except InvalidInput as error:
                report.warn(f"A note was left out: {error}")
    if labels or notes:
        intake.add_work(db, run.run_id, labels=labels, notes=notes, reader=writer.reader, now=datetime.now(UTC))
    return len(labels)


def _labels(
    annotations: Sequence[Annotation], sample: Sample, result: Result, *, author: str, report: ReadReport
) -> Iterator[Label]:
    """Yield the annotations of a row as labels; the report says which could not be used."""
    for annotation in annotations:
        if annotation.claim_number is None and annotation.span is None and result.claims and annotation.verdict:
            report.warn(
                "An annotation applies to a whole answer with claims; it is kept with the row but is not a label."
            )
            continue
        try:
            yield _label(annotation, sample, result, author=author)
        except InvalidInput as error:
            report.warn(f"An annotation was left out: {error}")


def _label(annotation: Annotation, sample: Sample, result: Result, *, author: str) -> Label:
    """Return an annotation as a label; `author` is its reviewer if the file names none."""
    provenance = LabelProvenance(
        reviewer=annotation.reviewer.strip() or author,
        at=annotation.at,
        role=annotation.role,
        note=annotation.note or None,
        corrected_text=annotation.corrected_text or None,
        seconds=annotation.seconds,
        is_blind=annotation.is_blind,
    )
    number, verdict = annotation.claim_number, annotation.verdict
    if number is not None:
        _check_number(number, result)
        return build_label(NOT_A_CLAIM if verdict is None else verdict.value, provenance, claim=number)
    if verdict is None:
        raise InvalidInput("it names no claim and no verdict.")
    start, end = annotation.span or (0, len(sample.answer))
    return build_missed_claim(sample.answer, start=start, end=end, verdict=verdict.value, provenance=provenance)


def _check_number(number: int, result: Result) -> None:
    if not 1 <= number <= len(result.claims):
        raise InvalidInput(f"the answer has no claim {number}.")


def to_result(judged: Judged, sample: Sample, *, judge: str, threshold: float) -> Result:
    """Return a tool's finding as a result.

    With claims, faithfulness is computed from them as for every judge, and the tool's own score becomes a metric. Parts
    that cannot be stored, and chunks that the answer does not have, are left out and named.
    """
    claims, notes = _with_known_chunks(judged.claims, sample)
    state = judged.state or State.JUDGED
    if judged.state is None and not claims and (judged.error is not None or judged.score is None):
        state = State.FAILED
    metrics = {name: value for name, value in judged.metrics.items() if value is not None and 0 <= value <= 1}
    if claims and judged.score is not None:
        metrics[f"{judge} faithfulness"] = judged.score
    result = Result(
        state=state,
        judge=judge,
        claims=claims if state is State.JUDGED else (),
        error=judged.error or f"{judge} gave this answer no score." if state is State.FAILED else None,
        suggestions=(*judged.suggestions, *((f"{judge}: {judged.reason}",) if judged.reason.strip() else ())),
        raw_reply=judged.raw_reply,
        given_score=judged.score if state is State.JUDGED and not claims else None,
        threshold=threshold,
        metrics=metrics,
        warnings=(*judged.notes, *notes),
        seconds=max(0.0, judged.seconds),
        usage=judged.usage,
        answer_score=judged.answer_score,
    )
    try:
        return checked(result, sample, threshold=threshold)
    except ValueError as error:
        failed = (
            f"The result cannot be stored: {error}".encode("utf-8", "backslashreplace").decode().replace("\x00", " ")
        )
        return Result(state=State.FAILED, judge=judge, error=failed, threshold=threshold)


def _with_known_chunks(claims: tuple[Claim, ...], sample: Sample) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Return the claims without the chunks that the sample does not have, and a note that names those."""
    known = {chunk.chunk_id for chunk in sample.chunks}
    cited = (i for claim in claims for i in (*claim.supporting_chunk_ids, *(e.chunk_id for e in claim.evidence)))
    unknown = [chunk_id for chunk_id in dict.fromkeys(cited) if chunk_id not in known]
    if not unknown:
        return claims, ()
    kept = tuple(
        replace(
            claim,
            supporting_chunk_ids=tuple(i for i in claim.supporting_chunk_ids if i in known),
            evidence=tuple(item for item in claim.evidence if item.chunk_id in known),
        )
        for claim in claims
    )
    return kept, (f"Claims name chunks that the row does not have: {', '.join(unknown[:3])}.",)


def preview_file(dataset: Dataset, *, for_results: bool) -> Preview:
    """Return how a file is read: its format, the mapping of its columns, and the first rows.

    Args:
        dataset: the file under the mapping in use.
        for_results: whether another tool's results are read too.
    """
    table, detection, mapping = dataset.table, dataset.detection, dataset.mapping
    used = {name: getattr(mapping, name) for name in (*FIELDS, *(RESULT_FIELDS if for_results else ()))}
    taken = {column for value in used.values() for column in (value if isinstance(value, tuple) else [value])}
    report, rows, problem = ReadReport(), list[PreviewedRow](), None
    try:
        for row in islice(read_rows(table, mapping, report=report, needs_chunks=not for_results), _PREVIEWED_ROWS):
            rows.append(_preview_row(dataset, row, for_results=for_results))
    except MissingColumn as error:
        problem = f"{error.question} Name it with --map {error.field}=COLUMN; {error.columns}"
    return Preview(
        file=table.name,
        content=table.format,
        format=detection.reader.name,
        title=detection.reader.title,
        fields={name: value for name, value in used.items() if value},
        settings={name: value for name in SETTINGS if (value := getattr(mapping, name))},
        kept_columns=[c for c in table.columns if c not in taken and c not in mapping.ignore],
        questions=dataset.open_questions(for_results=for_results),
        warnings=[*table.warnings, *detection.warnings],
        notes=[*table.notes, *report.warnings, *report.notes],
        rows=rows,
        problem=problem,
    )


def _preview_row(dataset: Dataset, row: Row | RowProblem, *, for_results: bool) -> PreviewedRow:
    if isinstance(row, RowProblem):
        return PreviewedRow(problem=str(row))
    if not for_results:
        return PreviewedRow(sample=row.sample)
    reader = dataset.detection.reader
    result = to_result(_judged(reader, row), row.sample, judge=reader.tool, threshold=0.0)
    return PreviewedRow(sample=row.sample, result=result)
