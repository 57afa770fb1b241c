"""How long runs and logged texts are kept."""

import re
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.errors import InvalidInput

_SPAN = re.compile(r"(\d{1,5}(?:\.\d{1,3})?)([hdw])")
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """A rule for old runs and logged texts.

    Attributes:
        keep_days: how many days they are kept, counted from when the run or the logged answer was stored.
        force: whether runs with an open spot-check are deleted as well.
    """

    keep_days: float
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OldRun:
    """A run that is older than the rule allows.

    `open_checks` are the names of its spot-checks that lack labels. `is_busy` says that it is being judged or that its
    file is being read: no rule deletes such a run.
    """

    run_id: str
    name: str
    created_at: datetime
    answers: int
    open_checks: tuple[str, ...] = ()
    is_busy: bool = False


def parse_days(text: str) -> float:
    """Return how many days a text such as "90d", "12h" or "4w" names; raises InvalidInput for any other text."""
    match = _SPAN.fullmatch(text.strip().lower())
    if match is None:
        raise InvalidInput(f"The time {text!r} cannot be read; write 90d, 12h or 4w.")
    return float(match[1]) * _DAYS[match[2]]
