"""Users' files as samples: the format, guessed columns, open questions, all rows, and their totals."""

import hashlib
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path

from faithview.domain.errors import InvalidInput, MissingColumn, UnreadableFile
from faithview.domain.mapping import FIELDS, RESULT_FIELDS
from faithview.domain.sample import Sample
from faithview.formats.files.report import ReadReport, RowProblem
from faithview.formats.files.source import HeldFile, without_ending
from faithview.formats.files.tables import Table, open_records
from faithview.formats.labelled import LabelledSample, read_labelled
from faithview.formats.read import BesideFiles, Detection, detect, open_any, open_table, read_rows
from faithview.formats.readers.by_name import SCHEMA as COLUMNS_BY_NAME
from faithview.formats.reading.reader import ASK_ROWS, Question, Row, ask_rivals
from faithview.formats.reading.score_columns import ScoreCheck, ask_scale, tells_what_was_found
from faithview.formats.reading.values import is_yes_or_no
from faithview.formats.rows.cells import keys_on, value_at
from faithview.formats.rows.chunk_rows import has_chunk_rows
from faithview.formats.rows.contexts import Separators, find_separators
from faithview.formats.rows.guess_columns import ColumnGuess, guess_columns
from faithview.formats.rows.mapping import (
    DATE_FORMAT,
    DATE_ORDER,
    IGNORED,
    ONE_ROW_PER,
    PER_CHUNK,
    SEPARATOR,
    SETTINGS,
    list_columns,
    parse_mapping,
    separator_name,
)
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.services.given_labels import with_given_label


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The totals of a file's rows under a mapping.

    Attributes:
        answers: how many rows can be used.
        chunks: by number of chunks, how many answers have that many.
        segments: how many segments there are.
        first: the earliest time of an answer; None if no answer has a time.
        last: the latest time.
        timed: how many answers have a time.
        is_partial: whether only the first rows of the file were read.
        questions: questions about a tool's scores that rows further down raise (`ScoreCheck`).
        report: the rows that cannot be used, warnings, and the dates that need an order of day and month.
    """

    answers: int
    chunks: Mapping[int, int]
    segments: int
    first: datetime | None
    last: datetime | None
    timed: int
    report: ReadReport
    is_partial: bool = False
    questions: tuple[Question, ...] = ()

    @property
    def told_date_order(self) -> str | None:
        """The order of day and month that some dates show and no date contradicts."""
        return told_order(self.report)


def told_order(report: ReadReport) -> str | None:
    """Return the order of day and month that some dates of a file show and no date contradicts."""
    orders = report.date_orders
    return next(iter(orders)) if len(orders) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A readable file, the format that was detected, and the mapping in use.

    `content_key` identifies the content: the hash of an upload, or a file's path with its size and time of change.
    `answered` are the fields for which the user named a column. `size` is the file's size in bytes, 0 for rows in
    memory. `chosen_format` is the format that the user chose among those that fit; None if the user was not asked.
    `guesses` are those that `as_guessed` put into the mapping.
    """

    table: Table
    detection: Detection
    mapping: ColumnMapping
    content_key: str
    answered: frozenset[str] = frozenset()
    size: int = 0
    chosen_format: str | None = None
    guesses: ColumnGuess | None = None

    @property
    def is_by_name(self) -> bool:
        """Whether no tool's format was recognised; columns are then known by name only."""
        return self.detection.schema == COLUMNS_BY_NAME

    @property
    def short_name(self) -> str:
        """The file's name without its ending: the default name of a run."""
        return without_ending(self.table.name)

    @property
    def has_results(self) -> bool:
        """Whether the file has another tool's results, by its format or by a mapped column."""
        return self.detection.match.has_results or any(getattr(self.mapping, field) for field in RESULT_FIELDS)

    def open_questions(self, *, for_results: bool) -> tuple[Question, ...]:
        """Return the questions that the user must answer before the rows, or another tool's results, are read."""
        fields = (*FIELDS, "format", ONE_ROW_PER, *((*RESULT_FIELDS, "map", "score_range") if for_results else ()))
        # Naming the claims column also settles which column is the score.
        settled = self.answered | ({"score", "map"} if self.answered.intersection(RESULT_FIELDS) else set())
        guessed: tuple[Question, ...] = ()
        if self.guesses is not None:
            may_be_chunks = self.mapping.one_row_per is None and self.has_chunk_rows() is None
            guessed = (*ask_rivals(self.guesses.competing), *((ASK_ROWS,) if may_be_chunks else ()))
        asked = (*self.detection.questions, *guessed, *ask_scale(self.mapping, self.table.head))
        return tuple(q for q in asked if q.field in fields and q.field not in settled)

    def score_check(self) -> ScoreCheck:
        """Return a check of all rows' scores against the assumptions that were made without asking."""
        column = self.mapping.hallucination
        by_words = column is not None and "hallucination" not in self.answered
        return ScoreCheck(
            mapping=self.mapping,
            goes_by_words=by_words
            and any(
                tells_what_was_found(cell) or is_yes_or_no(cell)
                for cell in (value_at(row.values, column or "") for row in self.table.head)
            ),
        )

    def as_format(self, name: str) -> "Dataset":
        """Return the file read in the format of that name; raises InvalidInput if it is in another format."""
        detection = detect(self.detection.file, format_name=name)
        return replace(self, table=detection.table, detection=detection, mapping=detection.mapping, chosen_format=name)

    def remap(self, items: list[str]) -> "Dataset":
        """Return the dataset with `field=column` items in place of the detected columns; raises InvalidInput."""
        return self.override(parse_mapping(items, columns=self.table.columns))

    def override(self, overrides: Mapping[str, tuple[str, ...]]) -> "Dataset":
        """Return the dataset with the given columns in place of the detected ones."""
        return replace(self, mapping=self.mapping.override(overrides), answered=self.answered | overrides.keys())

    def guess(self) -> ColumnGuess:
        """Return the mapping with guesses for open fields, from unusual names and from the first rows' cells."""
        return guess_columns(
            self.table.columns,
            self.table.head,
            self.mapping,
            by_tool=not self.is_by_name,
            answered=self.answered,
        )

    def as_guessed(self) -> "Dataset":
        """Return the file as Upload first shows it: with guesses from its first rows.

        Guessed are the columns' fields, what separates chunks in a cell, and whether there is one row per chunk. The
        user's choices are kept.
        """
        guess = self.guess()
        dataset = replace(self, mapping=guess.mapping, guesses=guess)
        found = dataset.find_separators()
        if SEPARATOR not in self.answered and dataset.mapping.context_separator is None and found and found.guessed:
            dataset = replace(dataset, mapping=replace(dataset.mapping, context_separator=found.guessed))
        if ONE_ROW_PER not in self.answered and dataset.has_chunk_rows():
            dataset = replace(dataset, mapping=replace(dataset.mapping, one_row_per=PER_CHUNK))
        return dataset

    def has_chunk_rows(self) -> bool | None:
        """Return whether an answer has one row per chunk; None if that is not certain."""
        return self.is_by_name and has_chunk_rows(self.table.head, self.mapping)

    def find_separators(self) -> Separators | None:
        """Return possible separators of chunks in the mapped columns; None if no cell is a single plain text."""
        return find_separators(self.mapping.contexts, self.table.head)

    def survey(self, *, needs_chunks: bool = True, most: int | None = None) -> Survey:
        """Read all rows or the first `most` and return their totals, without keeping the rows.

        Raises as `read_rows` does.
        """
        report = ReadReport()
        chunks: Counter[int] = Counter()
        segments: set[str] = set()
        first: datetime | None = None
        last: datetime | None = None
        timed = 0
        check = self.score_check()
        for item in islice(read_rows(self.table, self.mapping, report=report, needs_chunks=needs_chunks), most):
            if isinstance(item, RowProblem):
                continue
            check.see(item)
            row = item.sample
            chunks[len(row.chunks)] += 1
            if row.segment is not None:
                segments.add(row.segment)
            if row.timestamp is not None:
                timed += 1
                first = min(first or row.timestamp, row.timestamp)
                last = max(last or row.timestamp, row.timestamp)
        if most is None or report.rows < most:
            self.check_paths(report)
        return Survey(
            answers=report.usable,
            chunks=chunks,
            segments=len(segments),
            first=first,
            last=last,
            timed=timed,
            report=report,
            is_partial=most is not None and report.rows >= most,
            questions=check.questions(),
        )

    def check_paths(self, report: ReadReport) -> None:
        """Raise InvalidInput if a path that the user named matches nothing in the rows that were read."""
        named = {field: getattr(self.mapping, field) for field in (*FIELDS, *RESULT_FIELDS) if field in self.answered}
        for field, used in named.items():
            for path in report.unfound.intersection(used if isinstance(used, tuple) else (used,)):
                known = next((keys for row in self.table.head if (keys := keys_on(path, row.values))), None)
                there = f"; {known[0]!r} has {list_columns(known[1])}" if known else ""
                raise InvalidInput(
                    f"The path {path!r} for {field} matches nothing in any row of {self.table.name}{there}."
                )

    def stream(
        self, *, needs_chunks: bool = True, limit: int | None = None, report: ReadReport | None = None
    ) -> Iterator[Row]:
        """Yield the usable rows, at most `limit`, as they are read; raises what `read_rows` raises, when iterated.

        `report` is filled while rows are yielded.
        """
        found = read_rows(self.table, self.mapping, report=report, needs_chunks=needs_chunks)
        return islice((row for row in found if isinstance(row, Row)), limit)

    def samples(self, *, limit: int | None = None, report: ReadReport | None = None) -> Iterator[Sample]:
        """Yield the answers of `stream` with the labels that a labelled data set gives them."""
        reader = self.detection.reader
        return (with_given_label(reader, row) for row in self.stream(limit=limit, report=report))

    def settled(self, report: ReadReport) -> "Dataset":
        """Return the dataset with the settings that a first pass over all wanted rows, with this report, has found.

        If some dates are unambiguous and all have the same order of day and month, the column's other dates have it
        too.

        Raises:
            InvalidInput: a path that the user named matches nothing in any row.
            UnreadableFile: no row can be used.
        """
        self.check_paths(report)
        if not report.usable:
            first = f" (the first: {report.problems[0]})" if report.problems else ""
            raise UnreadableFile(f"No row of {self.table.name} can be used{first}.")
        told = told_order(report)
        if self.mapping.date_order is None and report.ambiguous_dates and told is not None:
            return self.override({"date_order": (told,)})
        return self

    def read(self, *, limit: int | None = None) -> tuple[list[Sample], ReadReport]:
        """Return the usable rows, at most `limit`, and a report on the others.

        Raises:
            InvalidInput: no column holds the answer or the contexts.
            UnreadableFile: the file is damaged, or no row of it can be used.
        """
        report = ReadReport()
        samples = list(self.samples(limit=limit, report=report))
        settled = self.settled(report)
        if settled is not self:
            samples, report = settled.read(limit=limit)
            note_date_order(report, settled)
        return samples, report

    def read_labelled(self) -> tuple[list[LabelledSample], ReadReport]:
        """Return the rows of a labelled file, FaithView's own or a data set's, and a report. Raises as `read` does."""
        for question in self.open_questions(for_results=False):
            raise InvalidInput(f"{self.table.name}: {question}")
        report = ReadReport()
        label = self.detection.reader.label
        found = read_labelled(self.table, mapping=self.mapping if label else None, label=label, report=report)
        rows = [row for row in found if not isinstance(row, RowProblem)]
        if not rows:
            first = f" (the first: {report.problems[0]})" if report.problems else ""
            raise UnreadableFile(f"No row of {self.table.name} can be used{first}.")
        return rows, report


def note_date_order(report: ReadReport, dataset: Dataset) -> None:
    """Note in the report on a file the order of day and month that `Dataset.settled` has found."""
    told = dataset.mapping.date_order or ""
    report.note(f"Other dates of the column show that days and months are {told.replace('-', ' ')}.")


def open_dataset(
    source: Path | HeldFile | bytes,
    *,
    name: str | None = None,
    format_name: str | None = None,
    others: Sequence[Path] = (),
) -> Dataset:
    """Open a file and detect its format, or use the named format.

    Args:
        source: its path, an open file, or its bytes.
        name: its name in messages; None for the path's own name.
        format_name: the format that the user named.
        others: its other files, if its format has several.

    Raises:
        InvalidInput: there is no such file or format, or the file is not in that format.
        UnreadableFile: the file cannot be read, or is in no known format.
    """
    for path in others:
        _check_exists(path)
    _check_exists(source)
    table = open_any(source, name=_message_name(source, name), others=others)
    detection = detect(table, format_name=format_name)
    return Dataset(
        table=detection.table,
        detection=detection,
        mapping=detection.mapping,
        content_key=" ".join([_own_key(source), *map(_own_key, _files_beside(table))]),
        size=_size(source),
    )


def open_rows(data: object, *, columns: Mapping[str, str | Sequence[str]] | None = None) -> Dataset:
    """Detect the format of rows in memory: a data frame, a dataset, dictionaries (`formats.files.tables`).

    Args:
        data: the rows.
        columns: the columns of fields with unusual names, for example {"answer": "response"}; several for the chunks.

    Raises:
        InvalidInput: the data is empty or not rows, or `columns` names an unknown field or a missing column.
    """
    table = open_records(data)
    detection = detect(table)
    named = {field: [name] if isinstance(name, str) else list(name) for field, name in (columns or {}).items()}
    overrides: dict[str, tuple[str, ...]] = {}
    for field, names in named.items():
        for name in names:
            parsed = parse_mapping([f"{field}={name}"], columns=table.columns)
            overrides[field] = (*overrides.get(field, ()), *parsed[field])
    mapping = detection.mapping.override(overrides)
    return Dataset(
        table=detection.table,
        detection=detection,
        mapping=mapping,
        content_key=str(id(data)),
        answered=frozenset(overrides),
    )


def _files_beside(table: Table) -> Sequence[Path]:
    """Return the other files that the format opened with this one."""
    return tuple(table.beside.opened) if isinstance(table.beside, BesideFiles) else ()


def _size(source: Path | HeldFile | bytes) -> int:
    if isinstance(source, bytes):
        return len(source)
    return source.size if isinstance(source, HeldFile) else source.stat().st_size


def _own_key(source: Path | HeldFile | bytes) -> str:
    if isinstance(source, HeldFile):
        return source.digest
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest()
    stat = source.stat()
    return f"{source.resolve()} {stat.st_size} {stat.st_mtime_ns}"


def open_file(source: Path | bytes, *, name: str | None = None) -> Table:
    """Open a file as a table.

    Args:
        source: its path or its bytes.
        name: its name in messages; None for the path's own name.

    Raises:
        InvalidInput: there is no such file.
        UnreadableFile: it cannot be read as a table.
    """
    _check_exists(source)
    return open_table(source, name=_message_name(source, name))


def _check_exists(source: Path | HeldFile | bytes) -> None:
    if isinstance(source, Path):
        if source.is_dir():
            raise InvalidInput(f"{str(source)!r} is a folder; give a file.")
        if not source.exists():
            raise InvalidInput(f"There is no file {str(source)!r}.")


def _message_name(source: Path | HeldFile | bytes, name: str | None) -> str:
    return name or (source.name if isinstance(source, Path) else "the file")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCheck:
    """The result of a first pass: the dataset to read, and the report on its rows; the rows are not kept."""

    dataset: Dataset
    report: ReadReport


def check_file(dataset: Dataset, *, limit: int | None = None, on_row: Callable[[], None] | None = None) -> FileCheck:
    """Read a file of answers once, to its end or up to the limit, and return what a first pass finds.

    Args:
        dataset: the file.
        limit: the maximum number of usable rows; None for all.
        on_row: called after each usable row.

    Raises:
        InvalidInput: no column holds the answer or the contexts.
        UnreadableFile: the file is damaged, or no row of it can be used.
    """
    report = ReadReport()
    for _ in dataset.stream(limit=limit, report=report):
        if on_row is not None:
            on_row()
    settled = dataset.settled(report)
    if settled is not dataset:
        note_date_order(report, settled)
    return FileCheck(dataset=settled, report=report)


_REQUIRED = ("answer", "contexts")
_MISSING = {
    "question": "Which column holds the question, if any?",
    "answer": "Which column holds the answer?",
    "contexts": "Which column holds the retrieved chunks?",
    "score": "Which column holds the faithfulness scores?",
}


def check_answered(dataset: Dataset, *, for_results: bool) -> None:
    """Raise an error with the text of `what_is_open` if anything is open.

    Raises:
        MissingColumn: no column holds the answer or the chunks.
        InvalidInput: another question about the file is open.
    """
    text = what_is_open(dataset, for_results=for_results)
    if not text:
        return
    whole = f"{dataset.table.name}: {text}"
    missing = [field for field in _fields_to_ask(dataset, for_results=for_results) if field in _REQUIRED]
    if missing:
        question = _why(dataset, missing[0])
        raise MissingColumn(missing[0], question=question, columns=f"{_columns(dataset)}.", text=whole)
    raise InvalidInput(whole)


def what_is_open(dataset: Dataset, *, for_results: bool) -> str:
    """Return the open questions about a file and the options that answer them, as a line to copy; "" if none is open.

    The options name a possible column, or COLUMN if none is known.

    Args:
        dataset: the file under the mapping in use.
        for_results: whether another tool's results are read, which need no chunks.
    """
    questions = dataset.open_questions(for_results=for_results)
    missing = _fields_to_ask(dataset, for_results=for_results)
    if not questions and not missing:
        return ""
    if not missing and len(questions) == 1:
        return str(questions[0])
    # In the order in which fields are listed everywhere; other questions come last.
    order = [*_MISSING, *(question.field for question in questions)]
    asked = [(field, _why(dataset, field), f"--map {field}=COLUMN") for field in missing]
    asked += [(question.field, str(question), question.options[0]) for question in questions]
    asked.sort(key=lambda item: order.index(item[0]))
    sentences, options = " ".join(item[1] for item in asked), " ".join(item[2] for item in asked)
    lead = ("Answer" if questions else "Name") + (" it" if len(asked) == 1 else " them")
    return f"{sentences} {lead} with {options} ({_columns(dataset)})."


def _columns(dataset: Dataset) -> str:
    return f"the columns of {dataset.table.name} are {list_columns(dataset.table.columns)}"


def _fields_to_ask(dataset: Dataset, *, for_results: bool) -> list[str]:
    """Return the fields without a column that the format does not ask about, in the order of the options."""
    mapping = dataset.mapping
    asked = {question.field for question in dataset.open_questions(for_results=for_results)}
    is_open = {
        "answer": mapping.answer is None and mapping.claim is None,
        "contexts": not mapping.contexts and bool(not for_results or mapping.unmapped_contexts),
    }
    missing = [field for field in _REQUIRED if is_open[field] and field not in asked]
    # Optional fields are asked about only if something must be asked anyway.
    if (
        missing
        and dataset.is_by_name
        and not mapping.contexts
        and "contexts" not in {*missing, *asked, *dataset.answered}
    ):
        missing.append("contexts")
    if missing and for_results and not dataset.has_results and not asked.intersection(("score", "map")):
        missing.append("score")
    if missing and dataset.is_by_name and mapping.question is None and "question" not in {*asked, *dataset.answered}:
        missing.insert(0, "question")
    return missing


def _why(dataset: Dataset, field: str) -> str:
    """Return the question for a column, with the reason why the format has none."""
    why = {"answer": dataset.mapping.unmapped_answer, "contexts": dataset.mapping.unmapped_contexts}.get(field, "")
    return f"{why}. {_MISSING[field]}" if why else _MISSING[field]


# The order and the form of dates have their own option.
_SETTINGS = (IGNORED, *(name for name in SETTINGS if name not in (DATE_ORDER, DATE_FORMAT)))


def command_for(dataset: Dataset, *, for_results: bool, database: str | None) -> str:
    """Return the command that judges a file or imports its results, with the chosen columns.

    Args:
        dataset: the file under the chosen mapping.
        for_results: whether another tool's results are imported.
        database: the URL of the store; None for the command's default.
    """
    words = ["faithview", "import" if for_results else "evaluate", dataset.table.name]
    if dataset.chosen_format is not None:
        words += ["--format", dataset.chosen_format]
    # The command makes the same guesses, so they need no option.
    fresh = replace(dataset, mapping=dataset.detection.mapping, answered=frozenset(), guesses=None)
    detected = fresh.as_guessed().mapping
    for name in (*FIELDS, *(RESULT_FIELDS if for_results else ()), *_SETTINGS):
        chosen = getattr(dataset.mapping, name)
        if chosen != getattr(detected, name):
            value = ",".join(chosen) if isinstance(chosen, tuple) else chosen or ""
            words += ["--map", f"{name}={separator_name(value) if name == SEPARATOR else value}"]
    order = dataset.mapping.date_format or dataset.mapping.date_order
    if order:
        words += ["--date-format", order]
    if database is not None:
        words += ["--db", database]
    return shlex.join(words)
