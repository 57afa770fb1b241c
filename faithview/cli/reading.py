"""Prints the report on reading a file to standard error, and says how to name what was not found."""

from faithview.cli import output
from faithview.domain.errors import InvalidInput, MissingColumn
from faithview.services.datasets import ONE_CHUNK, Dataset, ReadReport
from faithview.wording import numbers as fmt

_SHOWN_PROBLEMS = 10
# What a note leads to on the command line.
_OPTIONS = {
    ONE_CHUNK: "If these separate chunks, add --map context_separator=blank or --map 'context_separator=|'.",
}
_DATE_ORDER = "Which day is {}? Say so with --map date_order=day-first or --map date_order=month-first."


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
