"""The selection that all pages share: in the address, so a link opens the same view, and in the session across pages.

An address comes from outside: look its values up, never trust them. Selections of single pages are in `page_addresses`.

A widget may show the address's value, and write the user's choice to it. Charts, links and the browser's history change
the address too. Until the browser has received the widget's new value, it sends the old one; the back button always
does. Streamlit would take that for a choice, and the choice would undo the step back. So a widget whose value was
changed by something else gets another key, and values sent for the old key are ignored.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.errors import StreamlitAPIException

from faithview.ui import session
from faithview.ui.session import ShownInWidget


@dataclass(frozen=True, slots=True)
class AddressField:
    """A parameter by its name in the address."""

    name: str

    def get(self) -> str | None:
        """Return the text in the address; None if the parameter is missing."""
        return st.query_params.get(self.name)

    def number(self, *, digits: int) -> int | None:
        """Return a whole number of at most `digits` digits; None for anything else."""
        text = self.get() or ""
        return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None

    def is_set(self) -> bool:
        """Return whether the address has the parameter."""
        return self.name in st.query_params

    def set(self, value: str | None) -> None:
        """Write the parameter, or remove it (None). An unchanged value is not written: each write is one step back."""
        if value is None:
            clear(self)
        elif self.get() != value:
            st.query_params[self.name] = value


def clear(*fields: AddressField) -> None:
    """Remove parameters from the address."""
    for field in fields:
        if field.is_set():
            del st.query_params[field.name]


def write_together(values: Mapping[AddressField, str | None]) -> None:
    """Write parameters, or remove them (None), as one step of the browser's history where Streamlit allows it."""
    changed = {field: value for field, value in values.items() if field.get() != value}
    if not changed:
        return
    removed = {field.name for field in changed}
    address = {name: value for name, value in st.query_params.to_dict().items() if name not in removed}
    try:
        st.query_params.from_dict({**address, **{f.name: value for f, value in changed.items() if value is not None}})
    except StreamlitAPIException:  # a widget of the page has a parameter of its own, which only the widget may write
        for field, value in changed.items():
            field.set(value)


_RUN, _ROW, _CLAIM = AddressField("run"), AddressField("row"), AddressField("claim")
_CHECK, _VIEW = AddressField("check"), AddressField("view")
BASELINE, CANDIDATE = AddressField("baseline"), AddressField("candidate")
_SERIES, _SLICE, TAB = AddressField("series"), AddressField("slice"), AddressField("tab")
# What pages select within a run or between two: nothing of it is there in another series.
_PARTS = map(AddressField, ("cause", "pair", "source", "document", "within"))
_SELECTIONS = (_RUN, _ROW, _CLAIM, BASELINE, CANDIDATE, _SLICE, *_PARTS)
_CLAIM_DIGITS, _CHECK_DIGITS = 6, 9


def selected_run() -> str | None:
    """Return the run that the address names, else the last one viewed in this session."""
    return _RUN.get() or session.RUN.get()


def run_to_show() -> str | None:
    """Return the run that the address names; if it names none, the run that this address of this page showed before.

    At first that is the last run viewed in this session. A user who chooses another run and goes back sees it again.
    """
    before, page = session.PAGES.get()
    if before != page:
        session.RUN_START.set(session.RUN.get())
    return _RUN.get() or session.RUN_START.get()


def select_run(run_id: str | None) -> None:
    """View another run; the row and the claim of the old one leave the address."""
    if run_id is not None and _RUN.get() != run_id:
        write_together({_RUN: run_id, **(dict.fromkeys((_ROW, _CLAIM)) if _RUN.is_set() else {})})
    session.RUN.set(run_id)


def keep_run(run_id: str) -> None:
    """Remember the run in view for this session without changing the address.

    Opening a page does not change the selection: an address written then would add a step to the browser's history
    that leads back to the page that writes it again.
    """
    session.RUN.set(run_id)
    if not _RUN.is_set():
        session.RUN_START.set(run_id)


def forget_run() -> None:
    """View no run."""
    clear(_RUN, _ROW, _CLAIM)
    session.RUN.clear()
    session.RUN_START.clear()


def named_run() -> str | None:
    """Return the run that the address itself names: the one in view, else the newer or the older one compared."""
    return _RUN.get() or CANDIDATE.get() or BASELINE.get()


def selected_series() -> str | None:
    """Return the series that the address names."""
    return _SERIES.get()


def select_series(name: str | None) -> None:
    """Put a series into the address; None takes it out."""
    _SERIES.set(name)


def change_series(name: str | None) -> None:
    """Put another series into the address, or none; no run is in view, and what was selected leaves the address."""
    write_together({**dict.fromkeys(_SELECTIONS), _SERIES: name})
    session.RUN.clear()
    session.RUN_START.clear()


def series_link(name: str) -> dict[str, str]:
    """Return the address parameters of a series."""
    return {_SERIES.name: name}


def selected_tab(tabs: Iterable[str]) -> str:
    """Return the tab that the address names, else the first. No two pages have a tab of one name."""
    first, *others = tabs
    named = TAB.get()
    return named if named in others else first


def select_tab(tab: str, tabs: Iterable[str]) -> None:
    """Open a tab; the first one stays out of the address."""
    TAB.set(None if tab == next(iter(tabs)) else tab)


def tab_link(tab: str) -> dict[str, str]:
    """Return the address parameters of a tab that is not the first of its page."""
    return {TAB.name: tab}


def selected_claim() -> int | None:
    """Return the number of the claim in the address, which holds the number or the claim's public id."""
    number = (_CLAIM.get() or "").rpartition("-")[2]
    return int(number) if number.isascii() and number.isdecimal() and len(number) <= _CLAIM_DIGITS else None


def select_claim(number: int | None) -> None:
    """Select a claim of the row, or none."""
    if number is None:
        clear(_CLAIM)
    elif selected_claim() != number:
        _CLAIM.set(str(number))


def view_link(view: str) -> dict[str, str]:
    """Return the address parameters of a view."""
    return {_VIEW.name: str(view)}


def selected_check() -> int | None:
    """Return the spot-check that the address names."""
    return _CHECK.number(digits=_CHECK_DIGITS)


def select_check(number: int | None) -> None:
    """Open a spot-check, or none."""
    _CHECK.set(None if number is None else str(number))


def selected_slice() -> str | None:
    """Return the id of the slice of the run whose answers alone the address asks for."""
    return _SLICE.get()


def leave_slice() -> None:
    """Ask for the answers of all slices again."""
    clear(_SLICE)


def slice_link(run_id: str, slice_id: str) -> dict[str, str]:
    """Return the address parameters of a slice of a run."""
    return {**link(run_id), _SLICE.name: slice_id}


def check_link(number: int | None) -> dict[str, str]:
    """Return the address parameters of a spot-check; none for the list of all."""
    return {} if number is None else {_CHECK.name: str(number)}


def link(run_id: str, row: str | None = None, claim: int | None = None) -> dict[str, str]:
    """Return the address parameters of a run, a row or a claim."""
    parameters = {_RUN.name: run_id}
    if row is not None:
        parameters[_ROW.name] = row
    if claim is not None:
        parameters[_CLAIM.name] = str(claim)
    return parameters


def pair_link(baseline: str, candidate: str) -> dict[str, str]:
    """Return the address parameters of two runs that are compared, by their ids."""
    return {BASELINE.name: baseline, CANDIDATE.name: candidate}


@dataclass(frozen=True, slots=True)
class AddressWidget:
    """A widget by its name, which is its key until something else changes what it shows."""

    name: str

    @property
    def key(self) -> str:
        """The key under which the widget is drawn."""
        return self._key(session.shown_in_widget(self.name).get())

    def show(self, value: object) -> str:
        """Set what the widget holds, before it is drawn; return the key to draw it with."""
        known = session.shown_in_widget(self.name)
        before = known.get()
        number = 0 if before is None else before.number
        if before is not None and before.value != value and not before.is_chosen and session.is_widget_kept(self.key):
            number += 1
        after = ShownInWidget(number=number, value=value)
        known.set(after)
        key = self._key(after)
        session.set_widget(key, value)
        return key

    def on_choice(self, write: Callable[[], None]) -> Callable[[], None]:
        """Return the callback of the widget, which calls `write` if the user has changed it.

        Call it after `show`.
        """
        return partial(self._choose, self.key, write)

    def value(self) -> object:
        """Return the widget's value; None if it is empty or not drawn yet."""
        return session.widget_value(self.key)

    def text(self) -> str | None:
        """Return the text of a field without surrounding whitespace; None if it is empty."""
        return session.widget_text(self.key)

    def _choose(self, key: str, write: Callable[[], None]) -> None:
        shown = session.shown_in_widget(self.name)
        now = shown.get()
        if now is None or key != self._key(now):
            return
        shown.set(ShownInWidget(number=now.number, value=now.value, is_chosen=True))
        write()

    def _key(self, shown: ShownInWidget | None) -> str:
        return f"{self.name}.turn.{shown.number}" if shown is not None and shown.number else self.name


def page_turner(name: str, *, pages: int, number: int, on_turn: Callable[[int], None], most_shown: int = 7) -> None:
    """Draw the page numbers of a list that has several pages.

    Args:
        name: the widget's name, unique on the page.
        pages: how many pages there are.
        number: the page that is shown, from 1.
        on_turn: called with the page that the user chooses, before the next run of the script; it writes the address.
        most_shown: how many pages are listed by their numbers at most.
    """
    if pages < 2:
        return
    widget = AddressWidget(name)
    key = widget.show(number)
    turned = widget.on_choice(lambda: on_turn(session.widget_page(key)))
    st.pagination(pages, key=key, max_visible_pages=most_shown, on_change=turned)
