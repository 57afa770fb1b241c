"""Reading a file to judge or import, with the report on standard error and the options that correct it."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from faithview.cli import output
from faithview.cli.options import panel
from faithview.domain.mapping import FIELDS, RESULT_FIELDS
from faithview.formats.files.report import ReadReport
from faithview.formats.files.source import without_ending
from faithview.formats.rows.contexts import ONE_CHUNK
from faithview.formats.rows.mapping import PER_CHUNK, separator_name
from faithview.services.dataset_files import Dataset, open_dataset
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.services.imports import PreviewedRow

_SHOWN_PROBLEMS = 10
# What the note that a context was read as one chunk leads to.
_SEPARATE = "If these separate chunks, add --map context_separator=blank or --map 'context_separator=|'."
_DATE_ORDER = "Which day is {}? Add --date-format day-first or --date-format month-first."
_STANDARD_INPUT = Path("-")
_SHOWN_CHARACTERS = 300
_input = panel("Input")

FormatOption: TypeAlias = Annotated[
    str | None,
    _input("--format", metavar="NAME", help="The tool that wrote the file (default: recognised from the file)."),
]
WithOption: TypeAlias = Annotated[
    list[Path] | None,
    _input(
        "--with",
        metavar="FILE",
        help="Another file that belongs to FILE, such as RAGTruth's source_info.jsonl, if it is in another folder.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOptions:
    """A file, and how to read it."""

    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A csv, tsv, json, jsonl, parquet or xlsx file, plain or .gz, or a tool's own file; - is standard "
            "input.",
        ),
    ]
    format_name: FormatOption = None
    others: WithOption = None
    mapping: Annotated[
        list[str] | None,
        _input(
            "--map",
            metavar="FIELD=COLUMN",
            help=f"Name the column of a field that is not detected: {', '.join(FIELDS)}; for another tool's results "
            f"also {', '.join(RESULT_FIELDS)}. A path leads into nested data, as in answer=outputs.0.text; "
            "contexts=a,b takes several columns; ignore=a,b leaves columns out. Also context_separator (blank, line, "
            "tab, dashes or the characters), one_row_per (answer or chunk) and score_range (1-5).",
        ),
    ] = None
    segment: Annotated[str | None, _input("--segment", metavar="COLUMN", help="The column with a row's segment.")] = (
        None
    )
    date_format: Annotated[
        str | None,
        _input(
            "--date-format",
            metavar="FORM",
            help="The order or format of times: day-first, month-first, or a format such as %d/%m/%Y %H:%M.",
        ),
    ] = None
    limit: Annotated[int | None, _input("--limit", metavar="N", min=1, help="Take only the first N usable rows.")] = (
        None
    )
    preview: Annotated[
        bool, _input("--preview", help="Print how the file is read and its first rows, and store nothing.")
    ] = False

    @property
    def stem(self) -> str:
        """The name of a run, taken from the file's."""
        return "standard input" if self.file == _STANDARD_INPUT else without_ending(self.file.name)

    @contextmanager
    def opened(self) -> Iterator[Dataset]:
        """Yield the file, or standard input for "-", with the columns that the options name."""
        items = [*(self.mapping or [])]
        if self.segment is not None:
            items.append(f"segment={self.segment}")
        if self.date_format is not None:
            items.append(f"{'date_format' if '%' in self.date_format else 'date_order'}={self.date_format}")
        more: dict[str, Any] = {"format_name": self.format_name, "others": self.others or ()}
        if self.file != _STANDARD_INPUT:
            yield open_dataset(self.file, **more).remap(items).as_guessed()
            return
        # A file is read more than once, which a pipe cannot be.
        with tempfile.NamedTemporaryFile() as spool:
            shutil.copyfileobj(sys.stdin.buffer, spool)
            spool.flush()
            yield open_dataset(Path(spool.name), name="standard input", **more).remap(items).as_guessed()


def print_preview(dataset: Dataset, *, for_results: bool, as_json: bool) -> None:
    """Print how a file is read: its format, the columns of the fields, the first rows, and open questions."""
    from faithview.services.imports import preview_file

    seen = preview_file(dataset, for_results=for_results)
    lines = [f"{seen.file} ({seen.content})", f"  read as       {seen.title}"]
    for name, column in {**seen.fields, **seen.settings}.items():
        lines.append(f"  {name:<13} {', '.join(map(repr, column if isinstance(column, tuple) else [column]))}")
    if seen.kept_columns:
        lines.append(f"  kept as is    {', '.join(seen.kept_columns)}")
    for number, row in enumerate(seen.rows, start=1):
        lines += [f"row {number}", *_row_lines(row)]
    said = [f"note: {text}" for text in dict.fromkeys((*seen.warnings, *_guessed(dataset), *seen.notes))]
    if question := dataset.what_is_open(for_results=for_results):
        said.append(f"question: {question}")
    output.show(seen, lines, *said, as_json=as_json)


def _row_lines(row: "PreviewedRow") -> list[str]:
    sample, result = row.sample, row.result
    if sample is None:
        return [f"  left out      {row.problem}"]
    names = ("key", "question", "answer", "segment", "timestamp")
    lines = [f"  {name:<13} {text}" for name in names if (text := getattr(sample, name))]
    lines += [f"  chunk {chunk.chunk_id:<7} {chunk.text}" for chunk in sample.chunks]
    if result is not None:
        claims = fmt.plural(len(result.claims), "claim") if result.claims else "without claims"
        lines.append(f"  result        {result.error or f'{fmt.share(result.faithfulness)}, {claims}'}")
        lines += [f"    {claim.verdict}: {claim.text}" for claim in result.claims]
    whole = (" ".join(line.split("\n")) for line in lines)
    return [line if len(line) <= _SHOWN_CHARACTERS else f"{line[: _SHOWN_CHARACTERS - 1]}…" for line in whole]


def say_report(report: ReadReport) -> None:
    """Print the first ten rows that were left out, the warnings and the notes."""
    say_left_out(report.problems, report.problem_count)
    for text, count in report.warnings.items():
        output.say(f"warning: {text}" + (f" ({count} times)" if count > 1 else ""))
    for note in report.notes:
        output.say(f"note: {note}" + (f" {_SEPARATE}" if note == ONE_CHUNK else ""))
    if report.ambiguous_date:
        output.say(f"note: {_DATE_ORDER.format(report.ambiguous_date)}")


def say_left_out(problems: Sequence[object], count: int) -> None:
    """Print the first ten rows that were left out, and how many more there are of `count`."""
    for problem in problems[:_SHOWN_PROBLEMS]:
        output.say(f"left out: {problem}")
    if count > _SHOWN_PROBLEMS:
        output.say(f"left out: {fmt.plural(count - _SHOWN_PROBLEMS, 'more row')}")


def say_noticed(dataset: Dataset) -> None:
    """Print the warnings about the file and its format, and the guesses."""
    for warning in (*dataset.table.warnings, *dataset.detection.warnings):
        output.say(f"warning: {warning}")
    for note in _guessed(dataset):
        output.say(f"note: {note}")


def _guessed(dataset: Dataset) -> Iterator[str]:
    """Yield the guesses about a file, each with the option that overrides it."""
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
