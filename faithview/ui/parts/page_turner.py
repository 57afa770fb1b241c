"""The pages of a list, where the address says which page is shown or which row is open."""

from collections.abc import Callable

import streamlit as st

from faithview.ui.shell import session
from faithview.ui.shell.address_widget import AddressWidget


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
