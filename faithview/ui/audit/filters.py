"""What chooses the rows of the audit log: words, a person, a subject and days, each kept in the address."""

from datetime import date

import streamlit as st

from faithview.domain.audit import Kind
from faithview.services.audit.log import list_people
from faithview.ui.audit import address
from faithview.ui.shell import app, session
from faithview.wording import numbers as fmt
from faithview.wording.audit import KINDS

_FIND, _WHO, _KIND, _FIRST, _LAST = (f"audit.{name}" for name in ("find", "who", "kind", "from", "to"))


def draw() -> None:
    """Draw the fields in one line; a change goes to the address."""
    wanted = address.read()
    people = list_people(app.services())
    if wanted.who is not None and wanted.who not in people:
        people.append(wanted.who)
    first, last = address.first_day(), address.last_day()
    session.set_widgets({_FIND: wanted.words, _WHO: wanted.who, _KIND: wanted.kind, _FIRST: first, _LAST: last})
    find, who, kind, begin, end = st.columns([3, 3, 2, 1.4, 1.4])
    find.text_input("Find", key=_FIND, type="search", placeholder="A run, a claim, a name", on_change=_write)
    who.selectbox("Person", people, key=_WHO, format_func=fmt.literal, placeholder="Everybody", on_change=_write)
    kind.selectbox(
        "About", list(Kind), key=_KIND, format_func=lambda one: KINDS[one], placeholder="Everything", on_change=_write
    )
    begin.date_input("From", key=_FIRST, on_change=_write, help="The first day, in UTC.")
    end.date_input("To", key=_LAST, on_change=_write, help="The last day, in UTC.")


def _write() -> None:
    kind = session.widget_value(_KIND)
    address.write(
        who=session.widget_text(_WHO),
        kind=kind if isinstance(kind, Kind) else None,
        first=_day(_FIRST),
        last=_day(_LAST),
        words=session.widget_text(_FIND) or "",
    )


def _day(key: str) -> date | None:
    value = session.widget_value(key)
    return value if isinstance(value, date) else None
