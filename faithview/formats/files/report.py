"""The report on one pass over a file: usable rows, refused rows with the reason, warnings and notes."""

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Unit: TypeAlias = Literal["line", "row", "file"]

# Problems listed with their text; more are only counted, so the report on a file of bad rows stays small.
MAX_PROBLEMS = 100
_PREVIEW_CHARACTERS = 120
_UNSTORABLE = re.compile("[\ud800-\udfff\x00]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowProblem:
    """One unusable row: its place and the reason.

    `line` counts from 1: the line of a text file, the row of a spreadsheet, the item of a list or the file of a folder,
    as `unit` says.
    `preview` is the start of the row's text, for people to recognise it.
    """

    line: int
    reason: str
    preview: str = ""
    unit: Unit = "row"

    def __str__(self) -> str:
        """Return "line 7: no answer"."""
        return f"{self.unit} {self.line}: {self.reason}"


@dataclass(slots=True)
class ReadReport:
    """The report on one pass, filled while the rows are read.

    `rows` = `usable` + `problem_count` + `empty`. `problems` has the first 100. `warnings` counts how often each text
    occurred; `notes` are for information and occur once. `ambiguous_date` is the first date that can mean two days, as
    it is in the file, and `date_orders` are the orders of day and month that other dates show. `unfound` are the mapped
    paths into nested data without a value in any row so far.
    """

    rows: int = 0
    usable: int = 0
    empty: int = 0
    problem_count: int = 0
    problems: list[RowProblem] = field(default_factory=list)
    warnings: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    ambiguous_date: str = ""
    date_orders: set[str] = field(default_factory=set)
    unfound: set[str] = field(default_factory=set)

    def add_problem(self, problem: RowProblem) -> None:
        """Count a row that could not be used."""
        self.problem_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)

    def warn(self, text: str) -> None:
        """Count one more occurrence of a warning."""
        self.warnings[text] = self.warnings.get(text, 0) + 1

    def note(self, text: str) -> None:
        """Add a note unless it already exists."""
        if text not in self.notes:
            self.notes.append(text)


def storable(text: str) -> str:
    """Return the text with � for characters that no database can store: lone surrogates and NUL."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def preview_of(value: object) -> str:
    """Return the start of a row's text on one line, safe to show and to store."""
    text = value if isinstance(value, str) else repr(value)
    text = " ".join(text[: 4 * _PREVIEW_CHARACTERS].split())
    text = storable(text)
    return text if len(text) <= _PREVIEW_CHARACTERS else text[: _PREVIEW_CHARACTERS - 1] + "…"
