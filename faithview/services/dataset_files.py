"""Users' files as samples: the format, guessed columns, open questions, all rows, and their totals."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.mapping import FIELDS, RESULT_FIELDS, Field
from faithview.domain.sample import Sample
from faithview.formats.files.records import open_records
from faithview.formats.files.report import ReadReport, RowProblem
from faithview.formats.files.source import without_ending
from faithview.formats.files.tables import Table
from faithview.formats.labelled import LabelledSample, read_labelled
from faithview.formats.read import Detection, detect, open_table, read_rows
from faithview.formats.readers.by_name import SCHEMA as COLUMNS_BY_NAME
from faithview.formats.reading.reader import Question, Row
from faithview.formats.reading.score_columns import ScoreCheck, ask_scale, tells_what_was_found
from faithview.formats.reading.values import is_yes_or_no
from faithview.formats.rows.cells import parsed, value_at
from faithview.formats.rows.chunk_rows import has_chunk_rows
from faithview.formats.rows.contexts import DASHES, find_separators
from faithview.formats.rows.guess_columns import ColumnGuess, guess_columns
from faithview.formats.rows.mapping import (
    ONE_ROW_PER,
    PER_ANSWER,
    PER_CHUNK,
    SEPARATOR,
    list_columns,
    parse_mapping,
)
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.services.given_labels import with_given_label

_ASK_ROWS = Question(
    field=ONE_ROW_PER,
    candidates=(PER_CHUNK, PER_ANSWER),
    why="Several rows have the same question and answer, but their chunks and other columns differ.",
)


@dataclass(slots=True, kw_only=True)
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

    answers: int = 0
    chunks: Mapping[int, int] = field(default_factory=dict)
    segments: int = 0
    first: datetime | None = None
    last: datetime | None = None
    timed: int = 0
    report: ReadReport = field(default_factory=ReadReport)
    is_partial: bool = False
    questions: tuple[Question, ...] = ()

    @property
    def told_date_order(self) -> str | None:
        """The order of day and month that some dates show and no date contradicts."""
        orders = self.report.date_orders
        return next(iter(orders)) if len(orders) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A readable file, the format that was detected, and the mapping in use.

    `content_key` identifies the content: the hash of an upload, or a file's path with its size and time of change.
    `answered` are the fields for which the user named a column. `size` is the file's size in bytes, 0 for rows in
    memory. `guesses` are those that `as_guessed` put into the mapping.
    """

    table: Table
    detection: Detection
    mapping: ColumnMapping
    content_key: str
    answered: frozenset[str] = frozenset()
    size: int = 0
    guesses: ColumnGuess | None = None

    @property
    def is_by_name(self) -> bool:
        """Whether no tool's format was recognised; columns are then known by name only."""
        return self.detection.reader.name == COLUMNS_BY_NAME

    @property
    def short_name(self) -> str:
        """The file's name without its ending: the default name of a run."""
        return without_ending(self.table.name)

    @property
    def has_results(self) -> bool:
        """Whether the file has another tool's results, by its format or by a mapped column."""
        return self.detection.has_results or any(getattr(self.mapping, field) for field in RESULT_FIELDS)

    def open_questions(self, *, for_results: bool) -> tuple[Question, ...]:
        """Return the questions that the user must answer before the rows, or another tool's results, are read."""
        fields = (*FIELDS, ONE_ROW_PER, *((*RESULT_FIELDS, "map", "score_range") if for_results else ()))
        # Naming the claims column also settles which column is the score.
        settled = self.answered | ({"score", "map"} if self.answered.intersection(RESULT_FIELDS) else set())
        asked = [*self.detection.questions]
        if self.guesses is not None:
            asked += _ask_rivals(self.guesses.competing)
            if self.mapping.one_row_per is None and self.has_chunk_rows() is None:
                asked.append(_ASK_ROWS)
        asked += ask_scale(self.mapping, self.table.head)
        return tuple(q for q in asked if q.field in fields and q.field not in settled)

    def what_is_open(self, *, for_results: bool) -> str:
        """Return the open questions about the file with the options that answer them; "" if none is open.

        Args:
            for_results: whether another tool's results are read, which need no chunks.
        """
        questions, mapping = self.open_questions(for_results=for_results), self.mapping
        missing = []
        if mapping.answer is None and mapping.claim is None:
            missing.append(("answer", mapping.unmapped_answer, "Which column holds the answer?"))
        if not mapping.contexts and (mapping.unmapped_contexts or not for_results):
            missing.append(("contexts", mapping.unmapped_contexts, "Which column holds the retrieved chunks?"))
        missing = [item for item in missing if item[0] not in {question.field for question in questions}]
        sentences = [f"{why}. {question}" if why else question for _, why, question in missing]
        if missing:
            options = " ".join(f"--map {field}=COLUMN" for field, *_ in missing)
            columns = f"the columns of {self.table.name} are {list_columns(self.table.columns)}"
            sentences.append(f"Name {'it' if len(missing) == 1 else 'them'} with {options} ({columns}).")
        return " ".join([*sentences, *map(str, questions)])

    def check_answered(self, *, for_results: bool) -> None:
        """Raise InvalidInput with the text of `what_is_open` if anything is open."""
        if text := self.what_is_open(for_results=for_results):
            raise InvalidInput(f"{self.table.name}: {text}")

    def score_check(self) -> ScoreCheck:
        """Return a check of all rows' scores against the assumptions that were made without asking."""
        column = self.mapping.hallucination
        cells = [value_at(row.values, column) for row in self.table.head] if column is not None else []
        by_words = any(tells_what_was_found(cell) or is_yes_or_no(cell) for cell in cells)
        return ScoreCheck(mapping=self.mapping, goes_by_words=by_words and "hallucination" not in self.answered)

    def remap(self, items: list[str]) -> "Dataset":
        """Return the dataset with `field=column` items in place of the detected columns; raises InvalidInput."""
        return self.override(parse_mapping(items, columns=self.table.columns))

    def override(self, overrides: Mapping[str, tuple[str, ...]]) -> "Dataset":
        """Return the dataset with the given columns in place of the detected ones."""
        return replace(self, mapping=self.mapping.override(overrides), answered=self.answered | overrides.keys())

    def guess(self) -> ColumnGuess:
        """Return the mapping with guesses for open fields, from unusual names and from the first rows' cells."""
        columns, head = self.table.columns, self.table.head
        return guess_columns(columns, head, self.mapping, by_tool=not self.is_by_name, answered=self.answered)

    def as_guessed(self) -> "Dataset":
        """Return the file as Upload first shows it: with guesses from its first rows.

        Guessed are the columns' fields, what separates chunks in a cell, and whether there is one row per chunk. The
        user's choices are kept.
        """
        guess = self.guess()
        dataset = replace(self, mapping=guess.mapping, guesses=guess)
        is_open = SEPARATOR not in self.answered and dataset.mapping.context_separator is None
        if is_open and DASHES in (dataset.find_separators() or ()):
            dataset = replace(dataset, mapping=replace(dataset.mapping, context_separator=DASHES))
        if ONE_ROW_PER not in self.answered and dataset.has_chunk_rows():
            dataset = replace(dataset, mapping=replace(dataset.mapping, one_row_per=PER_CHUNK))
        return dataset

    def has_chunk_rows(self) -> bool | None:
        """Return whether an answer has one row per chunk; None if that is not certain."""
        return self.is_by_name and has_chunk_rows(self.table.head, self.mapping)

    def find_separators(self) -> dict[str, tuple[int, int]] | None:
        """Return possible separators of chunks in the mapped columns with the fewest and the most chunks per cell.

        None if no cell is a single plain text.
        """
        return find_separators(self.mapping.contexts, self.table.head)

    def survey(self, *, needs_chunks: bool = True, most: int | None = None) -> Survey:
        """Read all rows or the first `most` and return their totals, without keeping the rows.

        Raises as `read_rows` does.
        """
        survey, check = Survey(), self.score_check()
        chunks: Counter[int] = Counter()
        segments: set[str] = set()
        found = read_rows(self.table, self.mapping, report=survey.report, needs_chunks=needs_chunks)
        for item in islice(found, most):
            if isinstance(item, RowProblem):
                continue
            check.see(item)
            sample = item.sample
            chunks[len(sample.chunks)] += 1
            if sample.segment is not None:
                segments.add(sample.segment)
            if (at := sample.timestamp) is not None:
                survey.timed += 1
                survey.first, survey.last = min(survey.first or at, at), max(survey.last or at, at)
        survey.is_partial = most is not None and survey.report.rows >= most
        if not survey.is_partial:
            self.check_paths(survey.report)
        survey.answers, survey.chunks, survey.segments = survey.report.usable, chunks, len(segments)
        survey.questions = check.questions()
        return survey

    def check_paths(self, report: ReadReport) -> None:
        """Raise InvalidInput if a path that the user named matches nothing in the rows that were read."""
        for name in (*FIELDS, *RESULT_FIELDS):
            used = getattr(self.mapping, name) if name in self.answered else ()
            for path in report.unfound.intersection(used if isinstance(used, tuple) else (used,)):
                known = next((keys for row in self.table.head if (keys := _keys_on(path, row.values))), None)
                there = f"; {known[0]!r} has {list_columns(known[1])}" if known else ""
                raise InvalidInput(
                    f"The path {path!r} for {name} matches nothing in any row of {self.table.name}{there}."
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
        too, and the report says so.

        Raises:
            InvalidInput: a path that the user named matches nothing in any row.
            UnreadableFile: no row can be used.
        """
        self.check_paths(report)
        if not report.usable:
            raise self._no_usable_row(report)
        if self.mapping.date_order is None and report.ambiguous_date and len(report.date_orders) == 1:
            (order,) = report.date_orders
            report.note(f"Other dates of the column show that days and months are {order.replace('-', ' ')}.")
            return self.override({"date_order": (order,)})
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
            again = ReadReport(notes=report.notes[-1:])
            return list(settled.samples(limit=limit, report=again)), again
        return samples, report

    def read_labelled(self) -> tuple[list[LabelledSample], ReadReport]:
        """Return the rows of a labelled file, FaithView's own or a data set's, and a report. Raises as `read` does."""
        for question in self.open_questions(for_results=False):
            raise InvalidInput(f"{self.table.name}: {question}")
        report, label = ReadReport(), self.detection.reader.label
        if label is None:
            columns = list_columns(self.table.columns)
            raise InvalidInput(
                f"{self.table.name} is not a labelled file, with the columns chunks, answer, label and spans or claim; "
                f"its columns are {columns}."
            )
        found = read_labelled(self.table, self.mapping, label, report=report)
        rows = [row for row in found if not isinstance(row, RowProblem)]
        if not rows:
            raise self._no_usable_row(report)
        return rows, report

    def _no_usable_row(self, report: ReadReport) -> UnreadableFile:
        first = f" (the first: {report.problems[0]})" if report.problems else ""
        return UnreadableFile(f"No row of {self.table.name} can be used{first}.")


def _ask_rivals(competing: Mapping[Field, tuple[str, ...]]) -> tuple[Question, ...]:
    """Return the question which of several columns is the answer, and which has the chunks, if they compete."""
    needed: Mapping[Field, str] = {"answer": "the answer", "contexts": "the retrieved chunks"}
    return tuple(
        Question(field=name, candidates=rivals, why=f"{' and '.join(map(repr, rivals))} could each be {needed[name]}.")
        for name, rivals in competing.items()
        if name in needed
    )


def _keys_on(path: str, values: Mapping[str, object]) -> tuple[str, tuple[str, ...]] | None:
    """Return the longest part of a path that exists in a row, and the keys there; None if it leads to no object."""
    parts = path.split(".")
    for length in range(len(parts) - 1, 0, -1):
        start = ".".join(parts[:length])
        found = parsed(value_at(values, start))
        while isinstance(found, list | tuple) and found:
            found = parsed(found[0])
        if isinstance(found, Mapping) and found:
            return start, tuple(map(str, found))
    return None


def open_dataset(
    source: Path | bytes,
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
    for path in (*others, source):
        _check_exists(path)
    table = open_table(source, name=_message_name(source, name), others=others)
    detection = detect(table, format_name=format_name)
    content_key, size = _identify(source)
    return Dataset(
        table=detection.table,
        detection=detection,
        mapping=detection.mapping,
        content_key=content_key,
        size=size,
    )


def open_rows(data: object, *, columns: Mapping[str, str | Sequence[str]] | None = None) -> Dataset:
    """Detect the format of rows in memory: a data frame, a dataset, dictionaries (`formats.files.records`).

    Args:
        data: the rows.
        columns: the columns of fields with unusual names, for example {"answer": "response"}; several for the chunks.

    Raises:
        InvalidInput: the data is empty or not rows, or `columns` names an unknown field or a missing column.
    """
    table = open_records(data)
    detection = detect(table)
    dataset = Dataset(table=detection.table, detection=detection, mapping=detection.mapping, content_key=str(id(data)))
    for name, value in (columns or {}).items():
        # One at a time, because a comma in an item separates columns.
        parsed = [
            parse_mapping([f"{name}={column}"], columns=table.columns)[name]
            for column in ([value] if isinstance(value, str) else value)
        ]
        if parsed:
            dataset = dataset.override({name: tuple(column for found in parsed for column in found)})
    return dataset


def _identify(source: Path | bytes) -> tuple[str, int]:
    """Return what identifies the content of a file, and its size in bytes."""
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest(), len(source)
    stat = source.stat()
    return f"{source.resolve()} {stat.st_size} {stat.st_mtime_ns}", stat.st_size


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


def _check_exists(source: Path | bytes) -> None:
    if isinstance(source, Path):
        if source.is_dir():
            raise InvalidInput(f"{str(source)!r} is a folder; give a file.")
        if not source.exists():
            raise InvalidInput(f"There is no file {str(source)!r}.")


def _message_name(source: Path | bytes, name: str | None) -> str:
    return name or (source.name if isinstance(source, Path) else "the file")


class FileCheck(NamedTuple):
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
    return FileCheck(dataset.settled(report), report)
