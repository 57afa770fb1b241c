"""Reading a file to judge: prints the report to standard error, and says how to name what was not found."""

from dataclasses import dataclass
from pathlib import Path

from faithview.cli import output
from faithview.domain.errors import InvalidInput, MissingColumn
from faithview.domain.sample import Chunk, Sample
from faithview.services.datasets import ONE_CHUNK, Dataset, ReadReport, open_dataset
from faithview.services.knowledge.versions import check_version, read_knowledge_base
from faithview.wording import numbers as fmt

_SHOWN_PROBLEMS = 10
# What a note leads to on the command line.
_OPTIONS = {
    ONE_CHUNK: "If these separate chunks, add --map context_separator=blank or --map 'context_separator=|'.",
}
_DATE_ORDER = "Which day is {}? Say so with --map date_order=day-first or --map date_order=month-first."


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The file to judge, how to read it, and the file with its knowledge base."""

    file: Path
    mapping: list[str]
    segment: str | None
    limit: int | None
    kb: Path | None
    kb_version: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What was read: the answers, how many rows could not be read, and the knowledge base's version and chunks."""

    samples: list[Sample]
    rows_left_out: int
    kb_version: str | None
    chunks: list[Chunk]


def read_answers(source: Source) -> Answers:
    """Read both files and print what was noticed; nothing is stored yet."""
    segment = [] if source.segment is None else [f"segment={source.segment}"]
    dataset = open_dataset(source.file).remap([*source.mapping, *segment])
    for warning in (*dataset.table.warnings, *dataset.detection.warnings):
        output.say(f"warning: {warning}")
    try:
        samples, report = dataset.read(limit=source.limit)
    except MissingColumn as error:
        raise ask_for_column(error, dataset) from error
    say_report(report)
    if source.kb is None:
        return Answers(samples=samples, rows_left_out=report.problem_count, kb_version=source.kb_version, chunks=[])
    version, chunks = _read_kb(source.kb, source.kb_version)
    return Answers(samples=samples, rows_left_out=report.problem_count, kb_version=version, chunks=chunks)


def _read_kb(file: Path, version: str | None) -> tuple[str, list[Chunk]]:
    """Return the knowledge base's version and its chunks; nothing is stored yet."""
    if version is None:
        version = stem(file)
        output.say(f"note: the knowledge base's version is {version!r}, after its file; --kb-version sets another.")
    check_version(version)
    chunks, report = read_knowledge_base(file)
    say_report(report)
    return version, chunks


def say_report(report: ReadReport) -> None:
    """Print the first ten rows that were left out, the warnings and the notes."""
    for problem in report.problems[:_SHOWN_PROBLEMS]:
        output.say(f"left out: {problem}")
    if report.problem_count > _SHOWN_PROBLEMS:
        output.say(f"left out: {fmt.plural(report.problem_count - _SHOWN_PROBLEMS, 'more row')}")
    for text, count in report.warnings.items():
        output.say(f"warning: {text}" + (f" ({count} times)" if count > 1 else ""))
    for note in report.notes:
        output.say(f"note: {note}" + (f" {_OPTIONS[note]}" if note in _OPTIONS else ""))
    if report.ambiguous_dates:
        output.say(f"note: {_DATE_ORDER.format(report.ambiguous_dates[0])}")


def ask_for_column(error: MissingColumn, dataset: Dataset) -> InvalidInput:
    """Return the error with the option that names the column, and with the column that it may be."""
    guess = dataset.guess()
    column = guess.mapping.answer if error.field == "answer" else next(iter(guess.mapping.contexts), None)
    hint = f" It may be {column!r}." if column in guess.guessed else ""
    return InvalidInput(f"{error.question} Name it with --map {error.field}=COLUMN; {error.columns}{hint}")


def stem(file: Path) -> str:
    """Return the file's name without its last ending, and without `.gz`."""
    name = file.name.removesuffix(".gz")
    return name.rpartition(".")[0] or name
