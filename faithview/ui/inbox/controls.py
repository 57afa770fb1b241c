"""What chooses the claims: the words, the tabs and the page, each kept in the address."""

from dataclasses import dataclass

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.inbox import Facet, InboxFilter, InboxTab, LabelOutcome, make_filter
from faithview.services.inbox.groups import PAGE_SIZE
from faithview.services.inbox.tabs import MAX_NAME, delete_tab, list_tabs, save_tab
from faithview.services.results.runs import get_run
from faithview.ui.inbox import address
from faithview.ui.shell import app, identity, series, session
from faithview.ui.shell.address_widget import AddressWidget, page_turner
from faithview.ui.shell.write import show_message, write
from faithview.wording import numbers as fmt

_FIND, _TABS = AddressWidget("inbox.find"), AddressWidget("inbox.tabs")
_NAME = "inbox.tab.name"
_PLACE = "inbox.tab"
_ALL, _TO_LABEL, _MINE = "all", "to label", "mine"
_HELP = (
    "All words must be in the claim, in any order and any form: *invitations* finds *invitation*. Words in quotation "
    'marks must follow on each other: "members limit".'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tab:
    """A tab as it is drawn; `saved` is None for the tabs that are always there."""

    key: str
    name: str
    filters: InboxFilter
    saved: InboxTab | None = None


def choose_words() -> None:
    """Draw the field for words; what is entered goes to the address."""
    st.text_input(
        "Find in claims",
        key=_FIND.show(address.read().words),
        type="search",
        placeholder='Words of a claim, in any order; "a phrase" in quotation marks',
        help=_HELP,
        label_visibility="collapsed",
        on_change=_FIND.on_choice(_find),
    )


def choose_tab() -> None:
    """Draw the tabs; the one whose filter is in the address is selected."""
    tabs = _tabs()
    filters = address.read()
    current = next((tab for tab in tabs if tab.filters == filters), None)
    names = {tab.key: tab.name for tab in tabs}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Tabs",
            list(names),
            format_func=lambda key: fmt.literal(names[key]),
            key=_TABS.show(current.key if current else None),
            label_visibility="collapsed",
            on_change=_TABS.on_choice(_open_tab),
        )
        if current is not None and current.saved is not None:
            st.button(
                "Remove this tab",
                type="tertiary",
                icon=":material/close:",
                key=f"inbox.tab.remove.{current.saved.tab_id}",
                on_click=_remove,
                args=(current.saved.tab_id,),
            )
        elif current is None:
            _save_form(filters)
    show_message(_PLACE)


def choose_page(total_groups: int) -> None:
    """Draw the pages of the list where there are several."""
    pages = -(-total_groups // PAGE_SIZE)
    page_turner("inbox.pages", pages=pages, number=min(address.page(), max(1, pages)), on_turn=_turn)


def _tabs() -> list[_Tab]:
    waiting = make_filter("", {Facet.LABEL: [LabelOutcome.UNLABELLED, LabelOutcome.OUTDATED, LabelOutcome.DISPUTED]})
    tabs = [
        _Tab(key=_ALL, name="Not fully supported", filters=InboxFilter()),
        _Tab(key=_TO_LABEL, name="To label", filters=waiting),
    ]
    name = identity.current_reviewer()
    if name is not None:
        mine = make_filter("", {**waiting.chosen, Facet.ASSIGNEE: [name]})
        tabs.append(_Tab(key=_MINE, name="Assigned to me", filters=mine))
    saved = list_tabs(app.services())
    return tabs + [_Tab(key=f"tab {t.tab_id}", name=t.name, filters=t.filters, saved=t) for t in saved]


def _save_form(filters: InboxFilter) -> None:
    with st.popover("Save as a tab", type="tertiary", icon=":material/bookmark_add:", key="inbox.tab.save"):
        name = identity.current_reviewer()
        refusal = identity.why_no_name("at the top right") if name is None else identity.why_cannot_label(name)
        if refusal is not None:
            st.caption(refusal)
            return
        with st.form("inbox.tab.form", border=False):
            st.text_input("Name of the tab", key=_NAME, max_chars=MAX_NAME, placeholder="Refunds to check")
            st.caption("Everybody who uses this store sees the tab.")
            st.form_submit_button("Save", on_click=_save, args=(filters,))


def _find() -> None:
    filters = address.read()
    address.write(make_filter(_FIND.text() or "", filters.chosen))


def _open_tab() -> None:
    key = _TABS.value()
    chosen = next((tab for tab in _tabs() if tab.key == key), None)
    # None comes from the tab that is open, pressed again, and from Streamlit when the page is opened anew.
    if chosen is not None:
        _show_series_of(chosen.filters.values(Facet.RUN))
        address.write(chosen.filters)


def _show_series_of(run_ids: tuple[str, ...]) -> None:
    """Put the series in view that a tab's runs are in; a run that is gone says nothing."""
    for run_id in run_ids:
        try:
            name = get_run(app.services(), run_id).series
        except NotFound:
            continue
        if name != series.in_view():
            series.show(name)
        return


def _turn(number: int) -> None:
    address.write(address.read(), page_number=number)


def _save(filters: InboxFilter) -> None:
    reviewer = identity.current_reviewer()
    name = session.widget_text(_NAME) or ""
    write(
        lambda: save_tab(app.services(), name, filters, created_by=reviewer or ""),
        place=_PLACE,
        refusal=identity.why_cannot_label(reviewer),
    )


def _remove(tab_id: int) -> None:
    write(
        lambda: delete_tab(app.services(), tab_id),
        place=_PLACE,
        refusal=identity.why_cannot_label(identity.current_reviewer()),
    )
