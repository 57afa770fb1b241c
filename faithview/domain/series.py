"""A series: the runs of one application, which are shown together.

**Stored.** Every run is in exactly one series, by name, in the column `run.series`. There is no table of series: a
series exists as long as a run is in it. A run that judges another run's answers again is in the series of that run.

**Named.** A run that is stored with a series named (`--series`, `series=` in Python, a column `series` of its file)
is in that one. Any other is in the series of its file's name, or of its own without a file, without a date or number at
the end (`name_series`): support-09.csv and support-10.csv are one series.

**Edited.** A run can be moved to another series, which may be new, and a whole series can be renamed; renamed to the
name of another series it is merged with it (`services/series.py`; the menu of a run calls it).

**Shown.** Overview and the pages below it show one series: that of the run in the address, else
`series=` of the address, else the one shown last, else that of the newest run (`ui/series.py`). Events are detected,
and earlier runs are looked up, within one series.

**Checked answers.** Answers saved one at a time are runs of one answer, each to another question. They are in the
series `CHECKED_ANSWERS`, which has no trend, is compared only if its runs are named, and is the default only if no
other series exists. Opening one of its runs does not make it the series of the next page.
"""

import re
from dataclasses import dataclass
from datetime import datetime

CHECKED_ANSWERS = "Checked answers"

# The end of an imported run's name, which names the other tool.
_JUDGED_BY = re.compile(r" \(judged by [^()]+(?:\([^()]*\))?\)$")

# Two runs that share at least this part of their questions are about the same data.
SHARED_QUESTIONS = 0.5

# The end of a run's name that distinguishes it within its series: a date, a week, a number.
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?"
)
_RUN_NUMBER = re.compile(
    rf"(?:[\s_.,:/-]*\(\d+\)|(?:[\s_.,:/-]+|(?<=\d)t)(?:kw|w|v|q|r|week|run)?\d+z?|[\s_.,:/-]+(?:{_MONTHS}))+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series: how many runs it has, repeats included, and the time of its newest answers."""

    name: str
    runs: int
    newest_at: datetime

    @property
    def has_trend(self) -> bool:
        """Whether its runs form a sequence in time."""
        return has_trend(self.name)


def has_trend(series: str) -> bool:
    """Return whether the runs of a series form a sequence in time; answers that were checked one at a time do not."""
    return series != CHECKED_ANSWERS


def name_series(run_name: str) -> str:
    """Return the name of a run's series: the run's or its file's, without a date, number or other judge at its end."""
    own = _JUDGED_BY.sub("", run_name)
    stem = _RUN_NUMBER.sub("", own).strip()
    return stem if any(map(str.isalpha, stem)) else own


def name_judged_by(name: str, judge: str) -> str:
    """Return the usual name of a run that another tool judged: "answers (judged by Ragas)"."""
    return f"{name} (judged by {judge})"
