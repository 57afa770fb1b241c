"""What the compare page looks at: in the address, and kept in the session for whoever comes back without one.

The address names the two runs and what was chosen between them; every choice is one step of the browser's history.
Whoever comes back by the sidebar finds the last pair with its filters, and nothing is written then: an address that
changes by itself would trap the back button.
"""

from collections.abc import Mapping
from typing import Any

from faithview.domain.comparison import Cause, Change
from faithview.services.comparison.filters import CauseSide, ChangeFilter, Shown
from faithview.ui.shell import session
from faithview.ui.shell.address import BASELINE, CANDIDATE
from faithview.ui.shell.address_field import AddressField, write_together
from faithview.ui.shell.session import ComparedPair

# The segment is not named as Inspect's filter is: who goes from one page to the other takes neither along.
_SHOWN, _CAUSE, _SEGMENT, _PAIR = (AddressField(name) for name in ("changes", "cause", "within", "pair"))
_FIELDS = (BASELINE, CANDIDATE, _SHOWN, _CAUSE, _SEGMENT, _PAIR)
_ROW_DIGITS = 9

Rows = tuple[int, int]


def restore(series: str | None, *, is_arrival: bool) -> None:
    """Settle what an address without runs shows; call it before anything else reads the address.

    Args:
        series: the series in view. A pair of another series is not kept.
        is_arrival: whether the page before was another one. Then the last pair is shown again; else the address had
            runs a moment ago, and somebody has gone back to what it showed without.
    """
    if is_arrival:
        session.COMPARE_UNNAMED.set(session.COMPARE_LAST.get())
    kept = session.COMPARE_UNNAMED.get()
    if kept is not None and kept.series != series:
        session.COMPARE_UNNAMED.clear()


def forget() -> None:
    """Forget the pair that is kept in the session: a run of it is gone."""
    session.COMPARE_UNNAMED.clear()
    session.COMPARE_LAST.clear()


def show_default(baseline: str, candidate: str, *, series: str | None, is_step: bool) -> None:
    """Compare two runs that nobody chose, until somebody chooses something; see `DefaultPair`."""
    values = {BASELINE.name: baseline, CANDIDATE.name: candidate}
    session.COMPARE_UNNAMED.set(ComparedPair(series=series, values=values, is_chosen=False, is_step=is_step))


def keep(series: str | None) -> None:
    """Keep what is shown for when somebody comes back; a pair that nobody chose is worked out anew then."""
    unnamed = session.COMPARE_UNNAMED.get()
    if is_named() or (unnamed is not None and unnamed.is_chosen):
        session.COMPARE_LAST.set(ComparedPair(series=series, values=_values(), is_chosen=True))


def is_named() -> bool:
    """Return whether the address itself names a run."""
    return BASELINE.is_set() or CANDIDATE.is_set()


def is_default_step() -> bool | None:
    """Return whether the default pair is a step that is more than chance; None where somebody chose the runs."""
    unnamed = session.COMPARE_UNNAMED.get()
    return None if is_named() or unnamed is None or unnamed.is_chosen else unnamed.is_step


def selected_runs() -> tuple[str | None, str | None]:
    """Return the baseline and the candidate that the address names, or the session where it names none."""
    return _get(BASELINE), _get(CANDIDATE)


def select_runs(baseline: str, candidate: str) -> None:
    """Compare two other runs; the cause and the answer of the old pair are left, the segment stays."""
    if selected_runs() == (baseline, candidate):
        return
    _write({BASELINE: baseline, CANDIDATE: candidate, _CAUSE: None, _PAIR: None})
    session.COMPARE_PAGE.clear()


def selected_filter(*, default: Shown, segments: frozenset[str]) -> ChangeFilter:
    """Return the filter of the changed answers that the address asks for.

    Args:
        default: what is listed where the address does not say.
        segments: those of the pair; another one, left over from another pair, is no filter.
    """
    shown, segment = _get(_SHOWN), _get(_SEGMENT)
    return ChangeFilter(
        shown=Shown(shown) if shown in set(Shown) else default,
        side=find_side(_get(_CAUSE)),
        segment=segment if segment in segments else None,
    )


def select_filter(wanted: ChangeFilter) -> None:
    """Filter the changed answers, from the list's first page."""
    _filter(
        {
            _SHOWN: wanted.shown.value,
            _CAUSE: None if wanted.side is None else side_name(wanted.side),
            _SEGMENT: wanted.segment,
        }
    )


def select_shown(shown: Shown) -> None:
    """List answers that changed for better, for worse, or all; the other filters stay."""
    _filter({_SHOWN: shown.value})


def select_side(side: CauseSide | None) -> None:
    """List answers that changed for one cause; None for every cause."""
    _filter({_CAUSE: None if side is None else side_name(side)})


def select_segment(segment: str | None) -> None:
    """List answers of one segment; None for all."""
    _filter({_SEGMENT: segment})


def _filter(changed: Mapping[AddressField, str | None]) -> None:
    """Change filters, and only these: others may have changed since the page was drawn."""
    _write({**changed, _PAIR: None})
    session.COMPARE_PAGE.clear()


def is_pair_selected() -> bool:
    """Return whether the address names an answer of the list."""
    return _get(_PAIR) is not None


def selected_rows(changes: Mapping[str, Rows]) -> Rows | None:
    """Return the rows of the two answers that the address names; None for none.

    Args:
        changes: by the row's own id, the rows of either run. An id that is none of them may be two positions, "12-14".
    """
    name = _get(_PAIR) or ""
    if name in changes:
        return changes[name]
    before, _, after = name.partition("-")
    if not all(row.isascii() and row.isdecimal() and len(row) <= _ROW_DIGITS for row in (before, after)):
        return None
    return int(before), int(after)


def select_change(change: Change | None) -> None:
    """Open the two answers of a change, or let the list open its first."""
    _write({_PAIR: None if change is None else change.key})


def select_page(number: int) -> None:
    """Turn to a page of the list; its first change opens."""
    session.COMPARE_PAGE.set(number)
    select_change(None)


def is_acknowledged(fingerprints: tuple[str, str]) -> bool:
    """Return whether this session has accepted the warning that these two judges differ."""
    return fingerprints in session.ACCEPTED_JUDGE_PAIRS.get()


def acknowledge(fingerprints: tuple[str, str]) -> None:
    """Accept, for this session, the warning that these two judges differ."""
    session.ACCEPTED_JUDGE_PAIRS.set((*session.ACCEPTED_JUDGE_PAIRS.get(), fingerprints))


def scroll_to_pair() -> None:
    """Scroll the open change into view once: the view scrolls each time that the token has changed."""
    session.COMPARE_SCROLL_TOKEN.set(session.COMPARE_SCROLL_TOKEN.get() + 1)


def toggle_side(now: ChangeFilter, side: CauseSide) -> ChangeFilter:
    """Return the filter after a click on a cause, which sets it or lifts it."""
    if now.side == side:
        return ChangeFilter(shown=now.shown, segment=now.segment)
    return ChangeFilter(shown=Shown.ALL, side=side, segment=now.segment)


def toggle_segment(now: ChangeFilter, segment: str) -> ChangeFilter:
    """Return the filter after a click on a segment, which sets it or lifts it."""
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


def _get(field: AddressField) -> str | None:
    return _values().get(field.name)


def _values() -> dict[str, str]:
    """Return what is looked at: what the address says, over what the session keeps for an address without runs."""
    named = {field.name: value for field in _FIELDS if (value := field.get()) is not None}
    unnamed = session.COMPARE_UNNAMED.get()
    return named if is_named() or unnamed is None else {**unnamed.values, **named}


def _write(changes: Mapping[AddressField, str | None]) -> None:
    """Write everything that is looked at, with these changes, in one step; nothing where nothing changes."""
    before = _values()
    chosen = {field.name: value for field, value in changes.items() if value is not None}
    after = {name: value for name, value in before.items() if name not in {field.name for field in changes}} | chosen
    others = [field for field in changes if field not in _FIELDS]
    if after != before or any(field.is_set() for field in others):
        write_together({field: after.get(field.name) for field in _FIELDS} | dict.fromkeys(others))
