"""Turns rows into samples: a row is a sample, a problem with its line and reason, or empty."""

from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, field, replace
from datetime import datetime

from faithview.domain.errors import InvalidInput, MissingColumn
from faithview.domain.sample import Json, Sample, free_id
from faithview.formats.files.columnar import XLSX_CELL_CHARACTERS
from faithview.formats.files.report import ReadReport, RowProblem, preview_of
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.rows.cells import (
    BadCell,
    as_json,
    as_question,
    as_reference,
    as_text,
    column_of,
    find_unstorable,
    is_missing,
    value_at,
)
from faithview.formats.rows.chunk_rows import joined_rows
from faithview.formats.rows.contexts import ContextReader
from faithview.formats.rows.each_row import Made, each_row
from faithview.formats.rows.mapping import PER_CHUNK, Mapping, list_columns
from faithview.formats.rows.timestamps import needs_date_order, parse_timestamp, told_order

# The column of the inclusion probability in exports; it does not need a mapping.
INCLUSION_COLUMN = "inclusion_probability"
ASSUMED_UTC = "Timestamps without a time zone were read as UTC."


@dataclass(frozen=True, slots=True)
class Row:
    """A row that was read: its original cells, the sample made of them, and the mapping."""

    cells: MappingABC[str, object]
    sample: Sample
    mapping: Mapping

    def at(self, path: str | None) -> object:
        """Return the cell of a column or at a path (`outputs.0.text`); None if there is none."""
        return None if path is None else value_at(self.cells, path)


def read_rows(
    table: Table, mapping: Mapping, *, report: ReadReport | None = None, needs_chunks: bool = True
) -> Iterator[Row | RowProblem]:
    """Yield every row as a sample with its cells, or as a problem; a bad row does not stop the others.

    Rows without any value are skipped and counted in `report.empty`. Keys are unique: the second row with an id gets
    "id#2", and a row without an id gets its number.

    Args:
        table: the table.
        mapping: the mapping of columns to fields.
        report: filled while the rows are read.
        needs_chunks: without it a file may have no column for the contexts, unless a column looks like them.

    Raises:
        InvalidInput: at once, if no column is mapped to the answer or to the contexts.
        UnreadableFile: later, if the file turns out to be damaged.
    """
    return read_as(lambda row: row, table, mapping, report=report or ReadReport(), needs_chunks=needs_chunks)


def read_as(
    make: Callable[[Row], Made], table: Table, mapping: Mapping, *, report: ReadReport, needs_chunks: bool = True
) -> Iterator[Made | RowProblem]:
    """Yield what `make` returns for each row, or a problem where it raises BadCell; otherwise as `read_rows`."""
    check_mapping(table, mapping, needs_chunks=needs_chunks)
    report.unfound = set(mapping.paths.difference(table.columns))
    are_chunks = mapping.one_row_per == PER_CHUNK and len(mapping.contexts) == 1
    samples = _Samples(table=table, mapping=mapping, report=report)
    return each_row(
        table,
        lambda row: make(Row(row.values, samples.read(row), mapping)),
        report,
        rows=joined_rows(table, mapping) if are_chunks else None,
    )


@dataclass(slots=True, kw_only=True)
class _Samples:
    """Makes the samples of one pass, with its report and the keys used so far."""

    table: Table
    mapping: Mapping
    report: ReadReport
    _keys: set[str] = field(default_factory=set)
    _counted: dict[str, int] = field(default_factory=dict)

    def read(self, row: RawRow) -> Sample:
        mapping = self.mapping
        used = set(mapping.columns)
        # The paths that have a value in this row are found.
        self.report.unfound -= {path for path in self.report.unfound if not is_missing(value_at(row.values, path))}

        def cell(column: str | None) -> object:
            return None if column is None else value_at(row.values, column)

        claim = as_text(cell(mapping.claim), what="claim")
        answer = claim or as_text(cell(mapping.answer), what="answer")
        if answer is None:
            raise BadCell("no answer")
        if claim is not None and mapping.answer:
            used.discard(mapping.answer)  # the answer is not judged, so it stays an extra column
        question = cell(mapping.question)
        if isinstance(question, list) and mapping.question:
            used.discard(mapping.question)  # a conversation: the question is only its last turn
        timestamp = self._timestamp(cell(mapping.timestamp))
        if mapping.timestamp and timestamp is None:
            used.discard(mapping.timestamp)
        contexts = ContextReader(warn=self.report.warn, note=self.report.note, separator=mapping.context_separator)
        chunks = contexts.read([cell(column) for column in mapping.contexts], ids=cell(mapping.context_ids))
        for chunk in chunks:
            _check_storable(dict(chunk.metadata), f"the metadata of chunk {chunk.chunk_id!r}")
        used.update(mapping.ignore, [INCLUSION_COLUMN])
        extra = {column: as_json(value) for column, value in row.values.items() if column not in used}
        for column, value in extra.items():
            _check_storable({column: value}, f"the column {preview_of(column)!r}")
        for column, text in row.values.items() if self.table.format.startswith("xlsx") else ():
            if isinstance(text, str) and len(text) >= XLSX_CELL_CHARACTERS:
                self.report.warn(
                    f"A cell of {column!r} has {XLSX_CELL_CHARACTERS:,} characters, the most that an Excel cell "
                    "can hold: its text was probably cut off."
                )
        sample = Sample(
            answer=answer,
            chunks=chunks,
            question=as_question(question),
            key=as_text(cell(mapping.key), what="id") or str(self.report.rows),
            segment=as_text(cell(mapping.segment), what="segment"),
            reference=as_reference(cell(mapping.reference)),
            timestamp=timestamp,
            extra=extra,
            inclusion_probability=_inclusion_probability(row.values.get(INCLUSION_COLUMN)),
        )
        key = self._free_key(sample.key)
        return sample if key == sample.key else replace(sample, key=key)

    def _timestamp(self, value: object) -> datetime | None:
        if is_missing(value):
            return None
        order, form = self.mapping.date_order, self.mapping.date_format
        moment = parse_timestamp(value, date_order=order, date_format=form)
        if moment is None and form is None and order is None and needs_date_order(value):
            self.report.ambiguous_date = self.report.ambiguous_date or str(value)
        if form is None and (told := told_order(value)) is not None:
            self.report.date_orders.add(told)
        if moment is None:
            self.report.warn(
                "A timestamp is ambiguous, unreadable or not between 1970 and 2199, so it stays an extra column; "
                "write it as 2025-03-31T14:05:00Z."
            )
            return None
        if moment.is_assumed_utc:
            self.report.note(ASSUMED_UTC)
        return moment.at

    def _free_key(self, wanted: str) -> str:
        key = free_id(wanted, self._keys, self._counted)
        if key != wanted:
            self.report.warn("An id occurs more than once; the ids of later rows got '#2' and so on at the end.")
        self._keys.add(key)
        return key


def check_mapping(table: Table, mapping: Mapping, *, needs_chunks: bool = True) -> None:
    """Raise an error if no row can be read with this mapping.

    Without `needs_chunks` a file may have no column for the contexts, unless a column looks like them.

    Raises:
        MissingColumn: no column for the answer or for the contexts.
        InvalidInput: a mapped column that the table does not have; the message lists the columns.
    """
    have = f"the columns of {table.name} are {list_columns(table.columns)}"
    if mapping.answer is None and mapping.claim is None:
        why = f"{mapping.unmapped_answer}. " if mapping.unmapped_answer else ""
        raise MissingColumn("answer", question=f"{why}Which column holds the answer?", columns=f"{have}.")
    if not mapping.contexts and (needs_chunks or mapping.unmapped_contexts):
        why = f"{mapping.unmapped_contexts}. " if mapping.unmapped_contexts else ""
        question = f"{why}Which column holds the retrieved chunks?"
        raise MissingColumn("contexts", question=question, columns=f"{have}.")
    unknown = sorted(name for name in mapping.columns if column_of(name, table.columns) is None)
    if unknown:
        raise InvalidInput(f"There is no column {unknown[0]!r}; {have}.")


def _check_storable(value: Json, what: str) -> None:
    if unstorable := find_unstorable(value):
        raise BadCell(f"{what} contains {unstorable}, which cannot be stored")


def _inclusion_probability(value: object) -> float:
    """Return a row's inclusion probability, which exports include; 1 if the file has none."""
    if is_missing(value):
        return 1.0
    try:
        return float(str(value))
    except ValueError:
        raise BadCell(f"the {INCLUSION_COLUMN} {preview_of(value)!r} is not a number") from None
