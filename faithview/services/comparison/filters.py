"""Filter and sort the changed answers of a comparison. Pure: no database and no clock."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.comparison import Cause, Change

__all__ = [
    "CauseSide",
    "ChangeFilter",
    "Shown",
    "count_sides",
    "filter_changes",
    "find_at",
    "list_segments",
    "main_side",
]


class Shown(StrEnum):
    """Which answers are listed: those that lost, those that gained, or all in which anything changed."""

    REGRESSIONS = "regressions"
    IMPROVEMENTS = "improvements"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseSide:
    """A cause in one direction: of claims that gained support (`is_won`) or lost it."""

    cause: Cause
    is_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFilter:
    """Which changes a list keeps. None does not restrict; the segment "" means answers without a segment."""

    shown: Shown = Shown.REGRESSIONS
    side: CauseSide | None = None
    segment: str | None = None


def filter_changes(changes: Iterable[Change], wanted: ChangeFilter) -> list[Change]:
    """Return the wanted changes in the order given; improvements are sorted with the largest first."""
    matches = [
        change
        for change in changes
        if _is_shown(change, wanted.shown)
        and (wanted.segment is None or (change.segment or "") == wanted.segment)
        and (wanted.side is None or _has_side(change, wanted.side))
    ]
    if wanted.shown is Shown.IMPROVEMENTS:
        matches.sort(key=lambda change: -(change.difference or 0.0))
    return matches


def count_sides(changes: Iterable[Change]) -> dict[CauseSide, int]:
    """Return how many answers each cause affected in either direction, the largest count first."""
    counts: dict[CauseSide, int] = {}
    for change in changes:
        for side in {CauseSide(cause=term.cause, is_won=term.value > 0) for term in change.terms}:
            counts[side] = counts.get(side, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0].cause, item[0].is_won)))


def list_segments(changes: Iterable[Change]) -> list[str]:
    """Return the segments of the changes, sorted; "" (answers without a segment) comes last."""
    return sorted({change.segment or "" for change in changes}, key=lambda name: (not name, name))


def main_side(change: Change) -> CauseSide | None:
    """Return the cause that moved an answer's score most in the direction in which it moved; None if no claim did.

    Where losses and gains cancel out, it is the cause of the losses.
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
    """Return the index of the change between these two rows; None if it is not in the list."""
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
