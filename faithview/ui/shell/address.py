"""What is looked at: in the address, so that a link opens the same view, and kept in the session across pages.

Everything read here comes from outside and is only ever looked up, never trusted.
"""

from datetime import UTC, datetime

import streamlit as st

from faithview.domain.buckets import is_plausible
from faithview.domain.views import View

_RUN, _ROW, _CLAIM, _CHECK, _VIEW = "run", "row", "claim", "check", "view"
_RANGE = "range"
_KEPT_RUN, _KEPT_VIEW = "shell.run", "shell.view"
_OWN_PROMPT, _ASKED = "judge.prompt", "check.asked"


def selected_run() -> str | None:
    """Return the run that the address names, else the one looked at last in this session."""
    return st.query_params.get(_RUN) or st.session_state.get(_KEPT_RUN)


def select_run(run_id: str | None) -> None:
    """Look at another run; the row and the claim of the old one leave the address."""
    if run_id is not None and st.query_params.get(_RUN) != run_id:
        if _RUN in st.query_params:
            _drop(_ROW, _CLAIM)
        st.query_params[_RUN] = run_id
    st.session_state[_KEPT_RUN] = run_id


def keep_run(run_id: str) -> None:
    """Remember the run in view for this session, without a word in the address.

    Who only opens a page has chosen nothing yet; an address written then would be one more step for the back button,
    which would lead to the page that writes it again.
    """
    st.session_state[_KEPT_RUN] = run_id


def name_run() -> None:
    """Put the run in view into the address, now that something of it was chosen and a link has to say of which run."""
    kept = st.session_state.get(_KEPT_RUN)
    if kept is not None and _RUN not in st.query_params:
        st.query_params[_RUN] = kept


def forget_run() -> None:
    """Look at no run."""
    _drop(_RUN, _ROW, _CLAIM)
    st.session_state.pop(_KEPT_RUN, None)


def selected_row() -> str | None:
    """Return the key of the row that the address names."""
    return st.query_params.get(_ROW)


def select_row(key: str | None) -> None:
    """Look at another row; the claim of the old one leaves the address."""
    if key is None:
        _drop(_ROW, _CLAIM)
    elif st.query_params.get(_ROW) != key:
        if _ROW in st.query_params:
            _drop(_CLAIM)
        name_run()
        st.query_params[_ROW] = key


def selected_claim() -> int | None:
    """Return the number of the claim that the address names, as a number or as a claim's public id."""
    number = (st.query_params.get(_CLAIM) or "").rpartition("-")[2]
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 7 else None


def select_claim(number: int | None) -> None:
    """Look at a claim of the row."""
    if number is None:
        _drop(_CLAIM)
    elif selected_claim() != number:
        st.query_params[_CLAIM] = str(number)


def selected_view() -> str | None:
    """Return whose verdicts the address wants shown, else those shown last in this session."""
    return st.query_params.get(_VIEW) or st.session_state.get(_KEPT_VIEW)


def select_view(view: str) -> None:
    """Show somebody's verdicts; the judge's go without saying."""
    if view == View.JUDGE:
        _drop(_VIEW)
    elif st.query_params.get(_VIEW) != view:
        st.query_params[_VIEW] = str(view)
    st.session_state[_KEPT_VIEW] = str(view)


def selected_check() -> int | None:
    """Return the spot-check that the address names."""
    number = st.query_params.get(_CHECK) or ""
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else None


def select_check(number: int | None) -> None:
    """Look at a spot-check, or at none."""
    if number is None:
        _drop(_CHECK)
    else:
        st.query_params[_CHECK] = str(number)


def selected_range() -> tuple[datetime, datetime] | None:
    """Return the span of time that the address names, in UTC; None where it names none."""
    first, _, last = (st.query_params.get(_RANGE) or "").partition("..")
    try:
        low, high = datetime.fromisoformat(first), datetime.fromisoformat(last)
    except ValueError:
        return None
    if low.tzinfo is None or high.tzinfo is None or low > high or not (is_plausible(low) and is_plausible(high)):
        return None
    return low.astimezone(UTC), high.astimezone(UTC)


def select_range(span: tuple[datetime, datetime] | None) -> None:
    """Look at a span of time, or at none."""
    if span is None:
        _drop(_RANGE)
        return
    # One parameter, for each that is written is a step of the back button.
    ends = (moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z") for moment in span)
    st.query_params[_RANGE] = "..".join(ends)


def check_link(number: int | None) -> dict[str, str]:
    """Return the address parameters of a spot-check; none for the list of all."""
    return {} if number is None else {_CHECK: str(number)}


def link(run_id: str, row: str | None = None, claim: int | None = None) -> dict[str, str]:
    """Return the address parameters of a run, a row or a claim."""
    found = {_RUN: run_id}
    if row is not None:
        found[_ROW] = row
    if claim is not None:
        found[_CLAIM] = str(claim)
    return found


def _drop(*names: str) -> None:
    for name in names:
        if name in st.query_params:
            del st.query_params[name]


def own_prompt(method: str) -> str | None:
    """Return the prompt that was edited in this session for a method, None if there is none."""
    kept = st.session_state.get(_OWN_PROMPT)
    return kept[1] if kept is not None and kept[0] == method else None


def keep_own_prompt(method: str, text: str | None) -> None:
    """Keep an edited prompt for a method; None forgets it."""
    if text is not None:
        st.session_state[_OWN_PROMPT] = (method, text)
    else:
        st.session_state.pop(_OWN_PROMPT, None)


def was_asked(question: int) -> bool:
    """Return whether the person has asked for exactly this to be judged, so that no model is called unasked."""
    return bool(st.session_state.get(_ASKED) == question)


def remember_asked(question: int) -> None:
    """Remember what the person asked to be judged."""
    st.session_state[_ASKED] = question
