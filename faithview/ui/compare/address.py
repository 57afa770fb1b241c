"""What the compare page looks at: in the address, but for the page of the list and what was acknowledged.

Everything read here comes from outside and is only ever looked up, never trusted.
"""

import streamlit as st

from faithview.services.comparison.filters import CauseSide, ChangeFilter, Shown
from faithview.ui.compare.charts import find_side, side_name

_BASELINE, _CANDIDATE = "baseline", "candidate"
_SHOWN, _CAUSE, _SEGMENT, _PAIR = "changes", "cause", "segment", "pair"
_PAGE, _ACKNOWLEDGED, _BROUGHT = "compare.page", "compare.acknowledged", "compare.brought"
_LONGEST_ROW = 9

Rows = tuple[int, int]


def selected_runs() -> tuple[str | None, str | None]:
    """Return the baseline and the candidate that the address names."""
    return st.query_params.get(_BASELINE), st.query_params.get(_CANDIDATE)


def select_runs(baseline: str, candidate: str) -> None:
    """Compare two other runs; what was looked at in the old two leaves the address."""
    if selected_runs() == (baseline, candidate):
        return
    if None not in selected_runs():
        _drop(_CAUSE, _SEGMENT, _PAIR)
    st.query_params[_BASELINE], st.query_params[_CANDIDATE] = baseline, candidate
    st.session_state.pop(_PAGE, None)


def selected_filter() -> ChangeFilter:
    """Return what the address wants listed."""
    shown = st.query_params.get(_SHOWN)
    return ChangeFilter(
        shown=Shown(shown) if shown in set(Shown) else Shown.REGRESSIONS,
        side=find_side(st.query_params.get(_CAUSE)),
        segment=st.query_params.get(_SEGMENT),
    )


def select_filter(wanted: ChangeFilter) -> None:
    """List something else, from its beginning."""
    if wanted == selected_filter():
        return
    _set(_SHOWN, None if wanted.shown is Shown.REGRESSIONS else wanted.shown.value)
    _set(_CAUSE, None if wanted.side is None else side_name(wanted.side))
    _set(_SEGMENT, wanted.segment)
    _drop(_PAIR)
    st.session_state.pop(_PAGE, None)


def selected_pair() -> Rows | None:
    """Return the rows of the two answers that the address names."""
    before, _, after = (st.query_params.get(_PAIR) or "").partition("-")
    if not all(row.isascii() and row.isdecimal() and len(row) <= _LONGEST_ROW for row in (before, after)):
        return None
    return int(before), int(after)


def select_pair(rows: Rows | None) -> None:
    """Open two answers, or let the list open its first."""
    _set(_PAIR, None if rows is None else f"{rows[0]}-{rows[1]}")


def selected_page() -> int:
    """Return the page of the list that was turned to, from 1."""
    return int(st.session_state.get(_PAGE, 1))


def select_page(number: int) -> None:
    """Turn to a page of the list; its first change opens."""
    st.session_state[_PAGE] = number
    _drop(_PAIR)


def is_acknowledged(fingerprints: tuple[str, str]) -> bool:
    """Return whether somebody in this session has said to have read that these two judges differ."""
    return fingerprints in st.session_state.get(_ACKNOWLEDGED, ())


def acknowledge(fingerprints: tuple[str, str]) -> None:
    """Note that the warning about these two judges was read."""
    st.session_state[_ACKNOWLEDGED] = (*st.session_state.get(_ACKNOWLEDGED, ()), fingerprints)


def bring() -> None:
    """Bring the open change into view once."""
    st.session_state[_BROUGHT] = times_brought() + 1


def times_brought() -> int:
    """Return how often the open change was brought into view."""
    return int(st.session_state.get(_BROUGHT, 0))


def swap_side(side: CauseSide) -> ChangeFilter:
    """Return the filter after a click on a cause: set where it was not, lifted where it was."""
    now = selected_filter()
    if now.side == side:
        return ChangeFilter(shown=now.shown, segment=now.segment)
    return ChangeFilter(shown=Shown.ALL, side=side, segment=now.segment)


def swap_segment(segment: str) -> ChangeFilter:
    """Return the filter after a click on a segment: set where it was not, lifted where it was."""
    now = selected_filter()
    return ChangeFilter(shown=now.shown, side=now.side, segment=None if now.segment == segment else segment)


def _set(name: str, value: str | None) -> None:
    if value is None:
        _drop(name)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value


def _drop(*names: str) -> None:
    for name in names:
        if name in st.query_params:
            del st.query_params[name]
