"""What chooses the rows of the audit log: words, a person, a subject and days, each kept in the address."""

from datetime import date

import streamlit as st

from faithview.domain.audit import Kind
from faithview.services.audit.log import list_people
from faithview.ui.audit import address
from faithview.ui.shell import app
from faithview.ui.shell.address_widget import AddressWidget
from faithview.wording import numbers as fmt
from faithview.wording.audit import KINDS

_FIND, _WHO, _KIND, _FIRST, _LAST = (AddressWidget(f"audit.{name}") for name in ("find", "who", "kind", "from", "to"))


def draw() -> None:
    """Draw the fields in one line; a change goes to the address."""
    wanted = address.read()
    people = list_people(app.services())
    if wanted.who is not None and wanted.who not in people:
        people.append(wanted.who)
    find, who, kind, begin, end = st.columns([3, 3, 2, 1.4, 1.4])
    find.text_input(
        "Find",
        key=_FIND.show(wanted.words),
        type="search",
        placeholder="A run, a claim, a name",
        on_change=_FIND.on_choice(_write),
    )
    who.selectbox(
        "Person",
        people,
        key=_WHO.show(wanted.who),
        format_func=fmt.literal,
        placeholder="Everybody",
        on_change=_WHO.on_choice(_write),
    )
    kind.selectbox(
        "About",
        list(Kind),
        key=_KIND.show(wanted.kind),
        format_func=lambda one: KINDS[one],
        placeholder="Everything",
        on_change=_KIND.on_choice(_write),
    )
    begin.date_input(
        "From",
        key=_FIRST.show(address.first_day()),
        on_change=_FIRST.on_choice(_write),
        help="The first day, in UTC.",
    )
    end.date_input(
        "To",
        key=_LAST.show(address.last_day()),
        on_change=_LAST.on_choice(_write),
        help="The last day, in UTC.",
    )


def _write() -> None:
    kind = _KIND.value()
    address.write(
        who=_WHO.text(),
        kind=kind if isinstance(kind, Kind) else None,
        first=_day(_FIRST),
        last=_day(_LAST),
        words=_FIND.text() or "",
    )


def _day(field: AddressWidget) -> date | None:
    value = field.value()
    return value if isinstance(value, date) else None
