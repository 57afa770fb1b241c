"""What the compare page looks at: in the address, except for the list's page and accepted warnings."""

from collections.abc import Mapping
from typing import Any

from faithview.domain.comparison import Cause
from faithview.services.comparison.filters import CauseSide, ChangeFilter, Shown
from faithview.ui.shell import session
from faithview.ui.shell.address import BASELINE, CANDIDATE
from faithview.ui.shell.address_field import AddressField, clear

_SHOWN, _CAUSE, _SEGMENT, _PAIR = (AddressField(name) for name in ("changes", "cause", "segment", "pair"))
_ROW_DIGITS = 9

Rows = tuple[int, int]


def selected_runs() -> tuple[str | None, str | None]:
    """Return the baseline and the candidate that the address names."""
    return BASELINE.get(), CANDIDATE.get()


def select_runs(baseline: str, candidate: str) -> None:
    """Compare two other runs; the selections within the old pair leave the address."""
    if selected_runs() == (baseline, candidate):
        return
    if None not in selected_runs():
        clear(_CAUSE, _SEGMENT, _PAIR)
    BASELINE.set(baseline)
    CANDIDATE.set(candidate)
    session.COMPARE_PAGE.clear()


def selected_filter() -> ChangeFilter:
    """Return the filter of the changed answers that the address asks for."""
    shown = _SHOWN.get()
    return ChangeFilter(
        shown=Shown(shown) if shown in set(Shown) else Shown.REGRESSIONS,
        side=find_side(_CAUSE.get()),
        segment=_SEGMENT.get(),
    )


def select_filter(wanted: ChangeFilter) -> None:
    """Filter the changed answers, from the list's first page."""
    if wanted == selected_filter():
        return
    _SHOWN.set(None if wanted.shown is Shown.REGRESSIONS else wanted.shown.value)
    _CAUSE.set(None if wanted.side is None else side_name(wanted.side))
    _SEGMENT.set(wanted.segment)
    clear(_PAIR)
    session.COMPARE_PAGE.clear()


def selected_pair() -> Rows | None:
    """Return the rows of the two answers that the address names."""
    before, _, after = (_PAIR.get() or "").partition("-")
    if not all(row.isascii() and row.isdecimal() and len(row) <= _ROW_DIGITS for row in (before, after)):
        return None
    return int(before), int(after)


def select_pair(rows: Rows | None) -> None:
    """Open two answers, or let the list open its first."""
    _PAIR.set(None if rows is None else f"{rows[0]}-{rows[1]}")


def select_page(number: int) -> None:
    """Turn to a page of the list; its first change opens."""
    session.COMPARE_PAGE.set(number)
    clear(_PAIR)


def is_acknowledged(fingerprints: tuple[str, str]) -> bool:
    """Return whether this session has accepted the warning that these two judges differ."""
    return fingerprints in session.ACCEPTED_JUDGE_PAIRS.get()


def acknowledge(fingerprints: tuple[str, str]) -> None:
    """Accept, for this session, the warning that these two judges differ."""
    session.ACCEPTED_JUDGE_PAIRS.set((*session.ACCEPTED_JUDGE_PAIRS.get(), fingerprints))


def scroll_to_pair() -> None:
    """Scroll the open change into view once: the view scrolls each time that the token has changed."""
    session.COMPARE_SCROLL_TOKEN.set(session.COMPARE_SCROLL_TOKEN.get() + 1)


def toggle_side(side: CauseSide) -> ChangeFilter:
    """Return the filter after a click on a cause, which sets it or lifts it."""
    now = selected_filter()
    if now.side == side:
        return ChangeFilter(shown=now.shown, segment=now.segment)
    return ChangeFilter(shown=Shown.ALL, side=side, segment=now.segment)


def toggle_segment(segment: str) -> ChangeFilter:
    """Return the filter after a click on a segment, which sets it or lifts it."""
    now = selected_filter()
    return ChangeFilter(shown=now.shown, side=now.side, segment=None if now.segment == segment else segment)


def side_name(side: CauseSide) -> str:
    """Return a cause in one direction as the address and the charts name it: "evidence_edited.lost"."""
    return f"{side.cause.value}.{'won' if side.is_won else 'lost'}"


def find_side(name: str | None) -> CauseSide | None:
    """Return the cause and direction that `side_name` named; None for anything else, since it comes from outside."""
    cause, _, direction = (name or "").partition(".")
    if cause not in set(Cause) or direction not in ("won", "lost"):
        return None
    return CauseSide(cause=Cause(cause), is_won=direction == "won")


def clicked_name(selection: Mapping[str, Any] | None) -> str | None:
    """Return the name of the bar or row clicked in a chart; None where the selection was lifted."""
    points = (selection or {}).get("points") or []
    for point in points:
        data = point.get("customdata")
        name = data[0] if isinstance(data, list | tuple) and data else data
        if isinstance(name, str):
            return name
    return None
