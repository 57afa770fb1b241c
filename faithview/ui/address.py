"""What is selected is in the address and nowhere else, so a link opens the same view and Back goes back.

An address comes from outside: look its values up, never trust them. `go` changes the page that is open, as one step of
the browser's history; `link`, `pair_link` and `tab_link` lead to other views.

A widget may show the address's value, and write the user's choice to it. Charts, links and the browser's history change
the address too. Until the browser has received the widget's new value, it sends the old one; the back button always
does. Streamlit would take that for a choice, and the choice would undo the step back. So a widget whose value was
changed by something else gets another key, and values sent for the old key are ignored.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import streamlit as st

from faithview.ui import session
from faithview.ui.session import ShownInWidget

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Param(Generic[_T]):
    """A parameter by its name in the address, and what its text means; None for a text that means nothing."""

    name: str
    parse: Callable[[str], _T | None]

    def get(self) -> _T | None:
        """Return what the address says; None if the parameter is missing or means nothing."""
        text = st.query_params.get(self.name)
        return None if text is None else self.parse(text)


def whole_number(text: str) -> int | None:
    """Return a whole number of at most nine digits; None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else None


def _claim_number(text: str) -> int | None:
    """Return the number of a claim, from 1, which the address gives alone or as the end of the claim's public id."""
    return whole_number(text.rpartition("-")[2])


RUN, ROW, CLAIM = Param("run", str), Param("row", str), Param("claim", _claim_number)
BASELINE, CANDIDATE = Param("baseline", str), Param("candidate", str)
SERIES, TAB, CHECK = Param("series", str), Param("tab", str), Param("check", whole_number)


def go(**changes: str | None) -> None:
    """Write parameters of the page that is open, or remove them (None), as one step of the browser's history."""
    before = st.query_params.to_dict()
    after = {name: text for name, text in {**before, **changes}.items() if text is not None}
    if after != before:
        # Claims has parameters with several values, of which `to_dict` has the last.
        kept = {name: st.query_params.get_all(name) for name in after if name not in changes}
        st.query_params.from_dict({**after, **kept})


def named_run() -> str | None:
    """Return the run that the address names: the one in view, else the newer or the older one compared."""
    return RUN.get() or CANDIDATE.get() or BASELINE.get()


def link(run_id: str, row: str | None = None, claim: int | None = None) -> dict[str, str]:
    """Return the address parameters of a run, a row or a claim; a run implies its series."""
    parameters = {RUN.name: run_id, ROW.name: row, CLAIM.name: None if claim is None else str(claim)}
    return {name: text for name, text in parameters.items() if text is not None}


def pair_link(baseline: str, candidate: str) -> dict[str, str]:
    """Return the address parameters of two runs that are compared, by their ids."""
    return {BASELINE.name: baseline, CANDIDATE.name: candidate}


def series_link() -> dict[str, str]:
    """Return the series that the address names, to be taken along to a view that names no run."""
    name = SERIES.get()
    return {} if name is None else {SERIES.name: name}


def tab_link(tab: str) -> dict[str, str]:
    """Return the address parameters of a tab that is not the first of its page, in the same series."""
    return {**series_link(), TAB.name: tab}


def selected_tab(tabs: Iterable[str]) -> str:
    """Return the tab that the address names, else the first. No two pages have a tab of one name."""
    first, *others = tabs
    named = TAB.get()
    return named if named in others else first


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


def choose_one(
    param: str,
    words: Mapping[str, str],
    *,
    label: str,
    usual: str | None = None,
    leaves: Iterable[str] = (),
    help_text: str | None = None,
) -> str:
    """Draw a choice that the address keeps, and return what is chosen.

    Args:
        param: the parameter's name.
        words: what can be chosen, by its name in the address, in words.
        label: the name of the choice, for screen readers.
        usual: what is chosen if the address says nothing, and is left out of it; the first by default.
        leaves: parameters that another choice removes.
        help_text: what the choice does.
    """
    usual = next(iter(words)) if usual is None else usual
    named = st.query_params.get(param, usual)
    widget = AddressWidget(f"choice.{param}")

    def write() -> None:
        chosen = str(widget.value())
        go(**dict.fromkeys(leaves), **{param: None if chosen == usual else chosen})

    chosen = named if named in words else usual
    st.segmented_control(
        label,
        list(words),
        format_func=lambda name: words.get(name, name),
        required=True,
        key=widget.show(chosen),
        on_change=widget.on_choice(write),
        label_visibility="collapsed",
        help=help_text,
    )
    return chosen


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
