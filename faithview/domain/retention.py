"""How long texts are kept: what is deleted after that, and what of a run may stay."""

import re
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.errors import InvalidInput

# What stands in the place of a deleted text where a run keeps its scores.
DELETED_TEXT = "[deleted]"
KEEP_SCORES = "keep-scores"
_PARTS = re.compile(r"[,\s]+")
_SPAN = re.compile(r"(\d{1,5}(?:\.\d{1,3})?)([hdw])")
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """A rule for old texts.

    Attributes:
        keep_days: for how many days texts are kept, from when their run or their logged answer was stored.
        keep_scores: a run stays with its scores, counts, labels and verdicts, and only its texts are deleted; else the
            whole run is.
        force: runs with an open spot-check are not spared.
    """

    keep_days: float
    keep_scores: bool = False
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OldRun:
    """A run that is older than texts are kept.

    `open_checks` are the names of its spot-checks that lack labels. `is_busy` says that it is being judged or its file
    being read: such a run is left alone by every rule.
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
