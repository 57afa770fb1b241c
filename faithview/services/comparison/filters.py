"""Which of a comparison's changed answers a list shows, and what is said of each in one line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.comparison import Cause, Change


class Shown(StrEnum):
    """Which changes are listed: answers that lost, answers that gained, or every answer in which anything changed."""

    REGRESSIONS = "regressions"
    IMPROVEMENTS = "improvements"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseSide:
    """A cause in one direction: of claims that were mended, or of claims that broke."""

    cause: Cause
    is_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFilter:
    """What a list of changes keeps; None does not restrict, and the segment "" means answers without one."""

    shown: Shown = Shown.REGRESSIONS
    side: CauseSide | None = None
    segment: str | None = None


def filter_changes(changes: Iterable[Change], wanted: ChangeFilter) -> list[Change]:
    """Return the changes that are wanted: the worst first as they are given, improvements the greatest first."""
    kept = [
        change
        for change in changes
        if _is_shown(change, wanted.shown)
        and (wanted.segment is None or (change.segment or "") == wanted.segment)
        and (wanted.side is None or _has_side(change, wanted.side))
    ]
    if wanted.shown is Shown.IMPROVEMENTS:
        kept.sort(key=lambda change: -(change.difference or 0.0))
    return kept


def count_sides(changes: Iterable[Change]) -> dict[CauseSide, int]:
    """Return how many answers each cause touched in either direction, the most first."""
    counts: dict[CauseSide, int] = {}
    for change in changes:
        for side in {CauseSide(cause=term.cause, is_won=term.value > 0) for term in change.terms}:
            counts[side] = counts.get(side, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0].cause, item[0].is_won)))


def list_segments(changes: Iterable[Change]) -> list[str]:
    """Return the segments that changes are in, sorted; "" last, for changes without one."""
    return sorted({change.segment or "" for change in changes}, key=lambda name: (not name, name))


def main_side(change: Change) -> CauseSide | None:
    """Return the cause that moved an answer's score most in the direction in which it moved; None if no claim did.

    Where the score stayed, as claims broke and others were mended, it is the cause of what was lost.
    """
    is_won = (change.difference or 0.0) > 0
    totals: dict[Cause, float] = {}
    for term in change.terms:
        if (term.value > 0) == is_won:
            totals[term.cause] = totals.get(term.cause, 0.0) + abs(term.value)
    if not totals:
        return None
    return CauseSide(cause=max(totals, key=lambda cause: (totals[cause], cause.value)), is_won=is_won)


def find_at(changes: Sequence[Change], rows: tuple[int, int] | None) -> int | None:
    """Return where the change between these two rows stands in the list; None if it is not in it."""
    return next((at for at, c in enumerate(changes) if (c.baseline_row, c.candidate_row) == rows), None)


def _is_shown(change: Change, shown: Shown) -> bool:
    difference = change.difference
    if shown is Shown.ALL:
        return True
    if difference is None:
        return False
    return difference < 0 if shown is Shown.REGRESSIONS else difference > 0


def _has_side(change: Change, side: CauseSide) -> bool:
    return any(term.cause is side.cause and (term.value > 0) is side.is_won for term in change.terms)
