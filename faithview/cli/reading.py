"""Reading a file to judge or import, with the report on standard error and the options that correct it."""

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from faithview.cli import output
from faithview.domain.errors import InvalidInput
from faithview.domain.mapping import FIELDS, RESULT_FIELDS
from faithview.domain.sample import Chunk, Sample
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.documents.files import PreviewedRow, UnusableRow
    from faithview.formats.files.report import ReadReport
    from faithview.services.dataset_files import Dataset, FileCheck


_SHOWN_PROBLEMS = 10
# What the note that a context was read as one chunk leads to.
_SEPARATE = "If these separate chunks, add --map context_separator=blank or --map 'context_separator=|'."
_DATE_ORDER = "Which day is {}? Add --date-format day-first or --date-format month-first."
_STANDARD_INPUT = Path("-")
_BLOCK_BYTES = 1 << 20
_Item = TypeVar("_Item")

FileArgument: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A csv, tsv, json, jsonl, parquet or xlsx file, plain or .gz, or a tool's own file; - is standard input.",
    ),
]
MapOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="FIELD=COLUMN",
        help=f"Name the column of a field that is not detected: {', '.join(FIELDS)}; for another tool's results also "
        f"{', '.join(RESULT_FIELDS)}. A path leads into nested data, as in answer=outputs.0.text; contexts=a,b takes "
        "several columns; ignore=a,b leaves columns out. Also context_separator (blank, line, tab or the characters), "
        "one_row_per (answer or chunk) and score_range (1-5).",
    ),
]
FormatOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="The tool that wrote the file (default: recognised from the file)."),
]
WithOption: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--with",
        metavar="FILE",
        help="Another file that belongs to FILE, such as RAGTruth's source_info.jsonl, if it is in another folder.",
    ),
]
DateFormatOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--date-format",
        metavar="FORM",
        help="The order or format of times: day-first, month-first, or a format such as %d/%m/%Y %H:%M.",
    ),
]
SegmentOption: TypeAlias = Annotated[
    str | None, typer.Option("--segment", metavar="COLUMN", help="The column with a row's segment.")
]
PreviewOption: TypeAlias = Annotated[
    bool, typer.Option("--preview", help="Print how the file is read and its first rows, and store nothing.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The file to judge, how to read it, and the file with its knowledge base."""

    file: Path
    mapping: list[str]
    segment: str | None
    limit: int | None
    kb: Path | None
    kb_version: str | None
    format_name: str | None = None
    date_format: str | None = None
    others: Sequence[Path] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """A file of answers that was read once, and the knowledge base's version and chunks.

    `check` says what is in the file; `iterate` reads the answers once more.
    """

    check: "FileCheck"
    limit: int | None
    kb_version: str | None
    chunks: list[Chunk]

    def iterate(self) -> Iterator[Sample]:
        """Yield the answers as the file is read again; none is kept."""
        return self.check.dataset.samples(limit=self.limit)


@contextmanager
def answers_of(source: Source) -> Iterator[Answers]:
    """Read both files and print what was noticed; nothing is stored yet. The answers can be read until the end."""
    from faithview.services.dataset_files import check_file

    with opened(
        source.file,
        source.format_name,
        mapping=source.mapping,
        segment=source.segment,
        date_format=source.date_format,
        others=source.others,
    ) as dataset:
        dataset.check_answered(for_results=False)
        say_noticed(dataset)
        with output.reading(f"Reading {dataset.table.name}", dataset.table.share_read) as step:
            check = check_file(dataset, limit=source.limit, on_row=step)
        say_report(check.report)
        kb_version, chunks = source.kb_version, list[Chunk]()
        if source.kb is not None:
            kb_version, chunks = _read_kb(source.kb, source.kb_version)
        yield Answers(
            check=check,
            limit=source.limit,
            kb_version=kb_version,
            chunks=chunks,
        )


def column_items(mapping: list[str] | None, *, segment: str | None, date_format: str | None) -> list[str]:
    """Return the options about columns as `field=column` items."""
    items = [*(mapping or [])]
    if segment is not None:
        items.append(f"segment={segment}")
    if date_format is not None:
        items.append(f"{'date_format' if '%' in date_format else 'date_order'}={date_format}")
    return items


@contextmanager
def opened(
    file: Path,
    format_name: str | None,
    *,
    mapping: list[str] | None,
    segment: str | None = None,
    date_format: str | None = None,
    others: Sequence[Path] | None = None,
) -> "Iterator[Dataset]":
    """Yield the file, or standard input for "-", with the columns that the options name."""
    from faithview.services.dataset_files import open_dataset

    items = column_items(mapping, segment=segment, date_format=date_format)
    if file != _STANDARD_INPUT:
        yield open_dataset(file, format_name=format_name, others=others or ()).remap(items).as_guessed()
        return
    if sys.stdin.isatty():
        raise InvalidInput("Standard input is a terminal; send a file to it, as in `cat answers.csv | faithview …`.")
    # A file is read more than once, which a pipe cannot be.
    with tempfile.NamedTemporaryFile() as spool:
        while block := sys.stdin.buffer.read(_BLOCK_BYTES):
            spool.write(block)
        spool.flush()
        opened_input = open_dataset(
            Path(spool.name), name="standard input", format_name=format_name, others=others or ()
        )
        yield opened_input.remap(items).as_guessed()


def stepping(items: Iterable[_Item], step: Callable[[], None]) -> Iterator[_Item]:
    """Yield the items, and call `step` after each."""
    for item in items:
        yield item
        step()


def print_preview(dataset: "Dataset", *, for_results: bool, as_json: bool) -> None:
    """Print how a file is read: its format, the columns of the fields, the first rows, and open questions."""
    from faithview.services.imports import preview_document

    document = preview_document(dataset, for_results=for_results)
    if as_json:
        output.print_json(document)
        return
    second = document.runner_up
    lines = [f"{document.file} ({document.content})"]
    lines.append(
        f"  read as       {document.title} ({fmt.fixed(document.confidence, 2)}). {' '.join(document.reasons)}"
    )
    if second is not None:
        lines.append(f"  or else       {second.title} ({fmt.fixed(second.confidence, 2)}). {' '.join(second.reasons)}")
    for name, column in {**document.fields, **document.settings}.items():
        lines.append(f"  {name:<13} {', '.join(column) if isinstance(column, list) else column!r}")
    if document.kept_columns:
        lines.append(f"  kept as is    {', '.join(document.kept_columns)}")
    for number, row in enumerate(document.rows, start=1):
        lines += [f"row {number}", *_row_lines(row)]
    output.print_lines(lines)
    for text in dict.fromkeys((*document.warnings, *_guessed(dataset), *document.notes, *document.reading)):
        output.say(f"note: {text}")
    question = dataset.what_is_open(for_results=for_results)
    if question:
        output.say(f"question: {question}")


def _row_lines(row: "PreviewedRow | UnusableRow") -> list[str]:
    from faithview.documents.files import UnusableRow

    if isinstance(row, UnusableRow):
        return [f"  left out      {row.problem}"]
    names = ("key", "question", "answer", "segment", "timestamp")
    lines = [f"  {name:<13} {text}" for name in names if (text := getattr(row, name))]
    lines += [f"  chunk {chunk.id:<7} {chunk.text}" for chunk in row.chunks]
    result = row.result
    if result is not None:
        claims = fmt.plural(len(result.claims), "claim") if result.claims else "without claims"
        lines.append(f"  result        {result.error or f'{fmt.share(result.faithfulness)}, {claims}'}")
        lines += [f"    {verdict}: {text}" for verdict, text in result.claims]
    return [" ".join(line.split("\n")) for line in lines]


def _read_kb(file: Path, version: str | None) -> tuple[str, list[Chunk]]:
    """Return the knowledge base's version and its chunks; nothing is stored yet."""
    from faithview.services.knowledge.versions import check_version, read_knowledge_base

    if version is None:
        version = stem(file)
        output.say(f"note: the knowledge base's version is {version!r}, after its file; --kb-version sets another.")
    check_version(version)
    chunks, report = read_knowledge_base(file)
    say_report(report)
    return version, chunks


def say_report(report: "ReadReport") -> None:
    """Print the first ten rows that were left out, the warnings and the notes."""
    from faithview.formats.rows.contexts import ONE_CHUNK

    for problem in report.problems[:_SHOWN_PROBLEMS]:
        output.say(f"left out: {problem}")
    if report.problem_count > _SHOWN_PROBLEMS:
        output.say(f"left out: {fmt.plural(report.problem_count - _SHOWN_PROBLEMS, 'more row')}")
    for text, count in report.warnings.items():
        output.say(f"warning: {text}" + (f" ({count} times)" if count > 1 else ""))
    for note in report.notes:
        output.say(f"note: {note}" + (f" {_SEPARATE}" if note == ONE_CHUNK else ""))
    if report.ambiguous_dates:
        output.say(f"note: {_DATE_ORDER.format(report.ambiguous_dates[0])}")


def say_noticed(dataset: "Dataset") -> None:
    """Print the warnings about the file and its format, and the guesses."""
    for warning in (*dataset.table.warnings, *dataset.detection.warnings):
        output.say(f"warning: {warning}")
    for note in _guessed(dataset):
        output.say(f"note: {note}")


def _guessed(dataset: "Dataset") -> Iterator[str]:
    """Yield the guesses about a file, each with the option that overrides it."""
    from faithview.formats.rows.mapping import PER_CHUNK, separator_name

    mapping, guesses = dataset.mapping, dataset.guesses
    guessed = guesses.guessed if guesses else {}
    for field in FIELDS:
        used = getattr(mapping, field)
        for column in used if isinstance(used, tuple) else (used,):
            if column in guessed:
                yield f"{field} is read from {column!r}, {guessed[column]}; --map {field}=COLUMN names another."
    if mapping.context_separator is not None and "context_separator" not in dataset.answered:
        mark = separator_name(mapping.context_separator)
        yield f"Chunks are separated by {mark!r}; --map context_separator= keeps each cell as one chunk."
    if mapping.one_row_per == PER_CHUNK and "one_row_per" not in dataset.answered:
        yield (
            "The file has one row per chunk, so rows with the same question and answer are read as one answer; "
            "--map one_row_per=answer reads each row as an answer."
        )


def stem(file: Path) -> str:
    """Return the name of a run or a version, taken from its file."""
    from faithview.formats.files.source import without_ending

    return "standard input" if file == _STANDARD_INPUT else without_ending(file.name)
