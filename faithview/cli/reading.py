"""Prints the report on reading a file to standard error."""

from faithview.cli import output
from faithview.services.datasets import ReadReport
from faithview.wording import numbers as fmt

_SHOWN_PROBLEMS = 10


def say_report(report: ReadReport) -> None:
    """Print the first ten rows that were left out, the warnings and the notes."""
    for problem in report.problems[:_SHOWN_PROBLEMS]:
        output.say(f"left out: {problem}")
    if report.problem_count > _SHOWN_PROBLEMS:
        output.say(f"left out: {fmt.plural(report.problem_count - _SHOWN_PROBLEMS, 'more row')}")
    for text, count in report.warnings.items():
        output.say(f"warning: {text}" + (f" ({count} times)" if count > 1 else ""))
    for note in report.notes:
        output.say(f"note: {note}")
