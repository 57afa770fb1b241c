"""What chooses the rows of the audit log: words, a person, a subject and days, each kept in the address."""

from datetime import date

import streamlit as st

from faithview.domain.audit import Kind
from faithview.domain.text.hidden_characters import make_visible
from faithview.services.audit.log import list_people
from faithview.ui.audit import address
from faithview.ui.shell import app
from faithview.ui.shell.address_widget import AddressWidget
from faithview.wording.audit import KINDS

_FIND, _WHO, _KIND, _FIRST, _LAST = (AddressWidget(f"audit.{name}") for name in ("find", "who", "kind", "from", "to"))


def draw() -> None:
    """Draw the fields in one line; a change goes to the address."""
    wanted = address.read()
    people = list_people(app.services())
    if wanted.who is not None and wanted.who not in people:
        people.append(wanted.who)
    find, who, kind, begin, end = st.columns([2.6, 2.6, 2, 1.8, 1.8])
    find.text_input(
        "Find",
        key=_FIND.show(wanted.words),
        type="search",
        placeholder="A run, a claim, a name",
        on_change=_FIND.on_choice(lambda: address.find(_FIND.text() or "")),
    )
    who.selectbox(
        "Person",
        people,
        index=None,
        key=_WHO.show(wanted.who),
        format_func=make_visible,
        placeholder="Everybody",
        on_change=_WHO.on_choice(lambda: address.select_who(_WHO.text())),
    )
    kind.selectbox(
        "About",
        list(Kind),
        index=None,
        key=_KIND.show(wanted.kind),
        format_func=lambda one: KINDS[one],
        placeholder="Everything",
        on_change=_KIND.on_choice(lambda: address.select_kind(_chosen_kind())),
    )
    begin.date_input(
        "From",
        value=None,
        key=_FIRST.show(address.first_day()),
        on_change=_FIRST.on_choice(lambda: address.select_first(_day(_FIRST))),
        help="The first day, in UTC.",
    )
    end.date_input(
        "To",
        value=None,
        key=_LAST.show(address.last_day()),
        on_change=_LAST.on_choice(lambda: address.select_last(_day(_LAST))),
        help="The last day, in UTC.",
    )


def _chosen_kind() -> Kind | None:
    value = _KIND.value()
    return value if isinstance(value, Kind) else None


def _day(field: AddressWidget) -> date | None:
    value = field.value()
    return value if isinstance(value, date) else None
