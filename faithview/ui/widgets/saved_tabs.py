"""The tabs of a page that lists what its filters let through: the page's own, and those that users saved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from faithview.domain.saved_tab import TabPage
from faithview.services.saved_tabs import MAX_NAME, delete_tab, save_tab
from faithview.store.saved_tabs import list_tabs
from faithview.ui import identity, opened_store, session
from faithview.ui.address import AddressWidget
from faithview.ui.service_calls import show_message, write
from faithview.wording import numbers as fmt


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """A tab as it is drawn; `tab_id` is None for those of the page, which are always there."""

    key: str
    name: str
    fields: Mapping[str, object]
    tab_id: int | None = None


def saved(page: TabPage) -> list[Tab]:
    """Return the tabs that users saved on a page."""
    tabs = list_tabs(opened_store.store().db, page)
    return [Tab(key=f"tab {tab.tab_id}", name=tab.name, fields=tab.fields, tab_id=tab.tab_id) for tab in tabs]


def choose_tab(
    page: TabPage,
    tabs: Sequence[Tab],
    fields: Mapping[str, object],
    *,
    on_open: Callable[[Mapping[str, object]], None],
    name_place: str,
) -> None:
    """Draw the tabs; the one whose filters are in the address is selected, and can be removed if a user saved it.

    Filters that no tab has can be saved as one.

    Args:
        page: the page.
        tabs: all tabs, the page's own first.
        fields: the filters in the address.
        on_open: writes a tab's filters into the address; called before the next run of the script.
        name_place: where the page asks for a name: "at the top right".
    """
    current = next((tab for tab in tabs if tab.fields == fields), None)
    names = {tab.key: fmt.literal(tab.name) for tab in tabs}
    widget = AddressWidget(f"{page}.tabs")

    def open_tab() -> None:
        chosen = next((tab for tab in tabs if tab.key == widget.value()), None)
        # None comes from the tab that is open, pressed again, and from Streamlit when the page is reopened.
        if chosen is not None:
            on_open(chosen.fields)

    if len(tabs) > 1:
        st.segmented_control(
            "Tabs",
            list(names),
            format_func=names.__getitem__,
            key=widget.show(current.key if current else None),
            label_visibility="collapsed",
            on_change=widget.on_choice(open_tab),
        )
    if current is None:
        _save_form(page, fields, name_place)
    elif current.tab_id is not None:
        st.button(
            "Remove this tab",
            type="tertiary",
            icon=":material/close:",
            key=f"{page}.tab.remove.{current.tab_id}",
            on_click=_remove,
            args=(page, current.tab_id),
        )


def tab_message(page: TabPage) -> None:
    """Draw what became of the last tab that was saved or removed, if it went wrong."""
    show_message(f"{page}.tab")


def _save_form(page: TabPage, fields: Mapping[str, object], name_place: str) -> None:
    with st.popover("Save as a tab", type="tertiary", icon=":material/bookmark_add:", key=f"{page}.tab.save"):
        name = identity.current_reviewer()
        refusal = identity.why_no_name(name_place) if name is None else identity.why_cannot_label(name)
        if refusal is not None:
            st.caption(refusal)
            return
        with st.form(f"{page}.tab.form", border=False):
            st.text_input("Name of the tab", key=f"{page}.tab.name", max_chars=MAX_NAME, placeholder="Refunds to check")
            st.caption("All users of this store see the tab.")
            st.form_submit_button("Save", on_click=_save, args=(page, fields))


def _save(page: TabPage, fields: Mapping[str, object]) -> None:
    reviewer = identity.current_reviewer()
    name = session.widget_text(f"{page}.tab.name") or ""
    write(
        lambda: save_tab(opened_store.store(), page, name, fields, created_by=reviewer or ""),
        place=f"{page}.tab",
        refusal=identity.why_cannot_label(reviewer),
    )


def _remove(page: TabPage, tab_id: int) -> None:
    write(
        lambda: delete_tab(opened_store.store(), tab_id),
        place=f"{page}.tab",
        refusal=identity.why_cannot_label(identity.current_reviewer()),
    )
