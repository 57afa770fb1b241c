"""A widget that shows what the address says, and writes to the address what somebody chooses; the pages of a list.

Charts, links and the browser's history change the address too. Until the browser knows what the widget shows then, it
sends what the widget held before: the back button does so each time. Streamlit would take that for a choice, and the
choice would undo the step back. So a widget that something else has changed gets another key, and what is sent for the
old key is no choice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from faithview.ui.shell import session
from faithview.ui.shell.session import ShownInWidget


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
        """Return what the widget calls when it changes: `write`, where somebody has changed it.

        Call it after `show`.
        """
        return partial(self._choose, self.key, write)

    def value(self) -> object:
        """Return what the widget holds; None where it is empty or not drawn yet."""
        return session.widget_value(self.key)

    def text(self) -> str | None:
        """Return the text of a field without white space around it; None where it is empty."""
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
    """Draw the pages of a list where there are several.

    Args:
        name: the widget's name, unique on the page.
        pages: how many pages there are.
        number: the page that is shown, from 1.
        on_turn: called with the page that somebody chooses, before the next run of the script; it writes the address.
        most_shown: how many pages are listed by their numbers at most.
    """
    if pages < 2:
        return
    widget = AddressWidget(name)
    key = widget.show(number)
    turned = widget.on_choice(lambda: on_turn(session.widget_page(key)))
    st.pagination(pages, key=key, max_visible_pages=most_shown, on_change=turned)
