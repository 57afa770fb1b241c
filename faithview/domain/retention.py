"""How long texts are kept: what is deleted after that, and which parts of a run may be kept."""

import re
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.errors import InvalidInput

# Replaces a deleted text in a run that keeps its scores.
DELETED_TEXT = "[deleted]"
KEEP_SCORES = "keep-scores"
_PARTS = re.compile(r"[,\s]+")
_SPAN = re.compile(r"(\d{1,5}(?:\.\d{1,3})?)([hdw])")
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """A rule for old texts.

    Attributes:
        keep_days: how many days texts are kept, counted from when their run or logged answer was stored.
        keep_scores: whether a run keeps its scores, counts, labels and verdicts and only its texts are deleted;
            otherwise the whole run is.
        force: whether runs with an open spot-check are deleted as well.
    """

    keep_days: float
    keep_scores: bool = False
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


def parse_retention(text: str) -> Retention:
    """Return the rule of a setting such as "90d" or "90d keep-scores"; raises InvalidInput for any other text."""
    span, *rest = _PARTS.split(text.strip())
    if rest not in ([], [KEEP_SCORES]):
        raise InvalidInput(f"The rule {text!r} cannot be read; write 90d, or 90d {KEEP_SCORES}.")
    return Retention(keep_days=parse_days(span), keep_scores=bool(rest))
