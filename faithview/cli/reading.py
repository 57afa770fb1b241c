"""What was found while a file was read, said on standard error."""

from faithview.cli import output
from faithview.services.datasets import ReadReport

_SHOWN_PROBLEMS = 10


def say_report(report: ReadReport) -> None:
    """Name the rows that were left out, the first ten of them, and say the warnings and notes."""
    for problem in report.problems[:_SHOWN_PROBLEMS]:
        output.say(f"left out: {problem}")
    if report.problem_count > _SHOWN_PROBLEMS:
        output.say(f"left out: {report.problem_count - _SHOWN_PROBLEMS} further rows")
    for text, count in report.warnings.items():
        output.say(f"warning: {text}" + (f" ({count} times)" if count > 1 else ""))
    for note in report.notes:
        output.say(f"note: {note}")
