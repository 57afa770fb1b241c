"""The audit log: what chooses the rows of the audit log, the rows a page at a time, and all of them as a file."""

from datetime import date

import pandas as pd
import streamlit as st

from faithview.domain.audit import AuditEntry, AuditFilter, Kind
from faithview.domain.hidden_characters import make_visible
from faithview.services.audit import list_page
from faithview.store.audit import list_people
from faithview.ui import opened_store, page_addresses
from faithview.ui.address import AddressWidget, page_turner
from faithview.ui.widgets.first_line import FirstLine
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.audit import ACTIONS, KINDS, object_words

_FIND, _WHO, _KIND, _FIRST, _LAST = (AddressWidget(f"audit.{name}") for name in ("find", "who", "kind", "from", "to"))


def draw_filters() -> None:
    """Draw the fields in one line; a change goes to the address."""
    wanted = page_addresses.audit_filter()
    people = list_people(opened_store.store().db)
    if wanted.who is not None and wanted.who not in people:
        people.append(wanted.who)
    find, who, kind, begin, end = st.columns([2.2, 1.9, 1.7, 2.1, 2.1])
    find.text_input(
        "Find",
        key=_FIND.show(wanted.words),
        type="search",
        placeholder="A run, a claim, a name",
        on_change=_FIND.on_choice(lambda: page_addresses.find_audit_entries(_FIND.text() or "")),
    )
    who.selectbox(
        "Person",
        people,
        index=None,
        key=_WHO.show(wanted.who),
        format_func=make_visible,
        placeholder="All users",
        on_change=_WHO.on_choice(lambda: page_addresses.select_audit_person(_WHO.text())),
    )
    kind.selectbox(
        "About",
        list(Kind),
        index=None,
        key=_KIND.show(wanted.kind),
        format_func=lambda one: KINDS[one],
        placeholder="Everything",
        on_change=_KIND.on_choice(lambda: page_addresses.select_audit_kind(_chosen_kind())),
    )
    begin.date_input(
        "From",
        value=None,
        key=_FIRST.show(page_addresses.audit_first_day()),
        on_change=_FIRST.on_choice(lambda: page_addresses.select_audit_first_day(_day(_FIRST))),
        help="The first day, in UTC.",
    )
    end.date_input(
        "To",
        value=None,
        key=_LAST.show(page_addresses.audit_last_day()),
        on_change=_LAST.on_choice(lambda: page_addresses.select_audit_last_day(_day(_LAST))),
        help="The last day, in UTC.",
    )


def _chosen_kind() -> Kind | None:
    value = _KIND.value()
    return value if isinstance(value, Kind) else None


def _day(field: AddressWidget) -> date | None:
    value = field.value()
    return value if isinstance(value, date) else None


_COLUMNS = {
    "at": st.column_config.DatetimeColumn("Time (UTC)", format="D MMM YYYY, HH:mm:ss", timezone="UTC", width=150),
    "who": st.column_config.TextColumn("User", width=120),
    "what": st.column_config.TextColumn("Action", width=150),
    "object": st.column_config.TextColumn("Object", width=160),
    "detail": st.column_config.TextColumn("Detail", width=126),
    "items": st.column_config.NumberColumn("Items", format="localized", width=60, help=figure_help.AUDITED_ITEMS),
}
# Pixels of a long list: the height of a laptop's window below the fields; and how many rows need less.
_HEIGHT = 640
_SHORT = 16


def draw_entries(line: FirstLine) -> None:
    """Draw the page of rows that the address asks for, and how many there are."""
    store, wanted = opened_store.store(), page_addresses.audit_filter()
    page = list_page(store, wanted, page=page_addresses.audit_page())
    line.what.caption(fmt.plural(page.total, "entry", "entries"))
    if not page.entries:
        why = (
            "Nothing has been recorded yet. This page will list who changed what, and when."
            if wanted == AuditFilter()
            else "No entry matches. Choose other days, another user or other words."
        )
        st.info(why, icon=":material/search_off:")
        return
    st.dataframe(
        pd.DataFrame([_entry_row(entry) for entry in page.entries]),
        key=f"audit.rows.{page.page}",
        hide_index=True,
        placeholder="",
        column_config=_COLUMNS,
        height=_HEIGHT if len(page.entries) > _SHORT else "auto",
        alt="The audit log, newest first: when, who, what, on which object.",
    )
    page_turner("audit.pages", pages=page.pages, number=page.page, on_turn=page_addresses.turn_audit_page)


def _entry_row(entry: AuditEntry) -> dict[str, object]:
    return {
        "at": entry.at,
        "who": make_visible(entry.who),
        "what": ACTIONS[entry.action],
        "object": make_visible(object_words(entry)),
        "detail": make_visible(entry.detail or ""),
        "items": entry.items,
    }
