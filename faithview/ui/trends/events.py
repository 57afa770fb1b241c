"""The events of the trends page: detected in the runs or added by hand."""

from collections.abc import Sequence
from datetime import date, datetime, time
from functools import partial
from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.buckets import in_zone
from faithview.domain.event import Event, EventKind
from faithview.services.trends.events import add_event, delete_event
from faithview.ui.parts.trend.event_links import knowledge_button
from faithview.ui.shell import app, identity, nav, session, write
from faithview.wording import numbers as fmt
from faithview.wording.events import KIND_NAMES

_WRITE_PLACE = "events"
_SHOWN = 30
_LABEL, _DAY, _TIME, _KIND, _VERSION = (f"events.{name}" for name in ("label", "day", "time", "kind", "version"))


def events(shown: Sequence[Event], *, zone: ZoneInfo) -> None:
    """Draw the events, newest first, with a button to compare before and after, and a form for a new event."""
    st.header("Events", anchor=False, help=_HELP)
    write.show_message(_WRITE_PLACE)
    can_write = identity.can_label(identity.current_reviewer())
    for number, event in enumerate(list(reversed(shown))[:_SHOWN]):
        _event(event, number, zone=zone, can_write=can_write)
    if len(shown) > _SHOWN:
        st.caption(f"and {fmt.plural(len(shown) - _SHOWN, 'older event')}")
    with st.expander("Add an event", icon=":material/add:"):
        name = identity.ask_reviewer()
        if name is not None:
            _form(name, zone)


def _event(event: Event, number: int, *, zone: ZoneInfo, can_write: bool) -> None:
    source = "detected from the runs" if event.is_detected else KIND_NAMES[event.kind]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        day = fmt.day(in_zone(event.at, zone))
        st.markdown(f":small[:gray[{day}]] &nbsp; {fmt.literal(event.label)} &nbsp; :small[:gray[{source}]]")
        if event.before_run_id and event.after_run_id:
            knowledge_button(event, key=f"events.documents.{number}", is_small=True)
            if st.button(
                "Compare before and after",
                type="tertiary",
                icon=":material/compare_arrows:",
                key=f"events.compare.{number}",
            ):
                query = {"baseline": event.before_run_id, "candidate": event.after_run_id}
                st.switch_page(nav.COMPARE, query_params=query)
        else:
            st.markdown(":small[:gray[no run on both sides yet]]", width="content")
        if can_write and event.event_id is not None:
            with st.popover("Delete", type="tertiary", icon=":material/delete:", key=f"events.ask.{event.event_id}"):
                st.markdown(f"Delete {fmt.literal(event.label)}?")
                st.button(
                    "Delete the event",
                    key=f"events.delete.{event.event_id}",
                    on_click=partial(_delete, event.event_id),
                )


def _form(name: str, zone: ZoneInfo) -> None:
    today = datetime.now(zone)
    with st.form("events.form", border=False, clear_on_submit=True):
        st.text_input("What happened", key=_LABEL, max_chars=500, placeholder="Help centre 2026-11 published")
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.date_input("On", value=today.date(), key=_DAY, width=150)
            st.time_input(f"At ({zone.key})", value=time(today.hour, 0), key=_TIME, width=170)
            st.selectbox("What it changed", list(EventKind), format_func=KIND_NAMES.__getitem__, key=_KIND, width=180)
            st.text_input("New knowledge-base version", key=_VERSION, placeholder="as named in the runs", width=210)
            st.form_submit_button("Add the event", key="events.add", on_click=partial(_add, name, zone.key))


def _add(name: str, zone: str) -> None:
    """Store what the form holds."""
    day, at = session.widget_value(_DAY), session.widget_value(_TIME)
    if not isinstance(day, date) or not isinstance(at, time):
        write.set_message(_WRITE_PLACE, "The event was not stored: it needs a day and a time.")
        return
    kind = session.widget_value(_KIND)

    def store() -> None:
        add_event(
            app.services(),
            session.widget_text(_LABEL) or "",
            at=datetime.combine(day, at, tzinfo=ZoneInfo(zone)),
            kind=EventKind(kind) if isinstance(kind, EventKind) else None,
            kb_version=session.widget_text(_VERSION),
            created_by=name,
        )

    write.write(store, place=_WRITE_PLACE, refusal=identity.why_cannot_label(name))


def _delete(event_id: int) -> None:
    write.write(
        lambda: delete_event(app.services(), event_id),
        place=_WRITE_PLACE,
        refusal=identity.why_cannot_label(identity.current_reviewer()),
    )


_HELP = (
    "Changes that may affect the scores: updates of the knowledge base, the prompt or the model. Some are detected "
    "from the runs; others are added here or with `faithview event add`."
)
