"""The notes on a claim, the field for a new one, and the newest notes. Notes are shown verbatim."""

from functools import partial

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.label import Note
from faithview.services.review import notes
from faithview.ui import identity, opened_store, service_calls, session
from faithview.wording import numbers as fmt

_MAX_LENGTH = 2000


def claim_notes(place: ClaimRef, *, key: str, is_blind: bool = False) -> None:
    """Draw a button that opens the notes on a claim.

    Args:
        place: the claim.
        key: begins the keys of widgets; unique on the page for each claim.
        is_blind: whether the page hides the judge: then notes of others, which may name its verdict, are hidden too.
    """
    reader = identity.current_reviewer()
    thread = notes.read_thread(opened_store.store(), place, reader=reader, is_blind=is_blind)
    number = len(thread.notes) + thread.hidden
    with st.popover(
        f"Notes ({number})" if number else "Notes", icon=":material/forum:", type="tertiary", key=f"{key}.notes"
    ):
        for note in thread.notes:
            _draw(note)
        if thread.hidden:
            hidden = fmt.plural(thread.hidden, "note")
            st.caption(f"{hidden} by others {fmt.verb(thread.hidden, 'is', 'are')} shown with the judge's verdict.")
        if not number:
            st.caption("No notes yet. Notes cannot be edited or deleted.")
        service_calls.show_message(f"{key}.notes")
        _add_field(place, reader, key)


def _draw(note: Note) -> None:
    with st.container(gap=None):
        reason = ", with a label" if note.is_of_label else ""
        st.caption(f"**{fmt.literal(note.author)}** {fmt.day_and_time(note.at)}{reason}")
        st.text(note.text)


def _add_field(place: ClaimRef, reader: str | None, key: str) -> None:
    if reader is None:
        st.caption(identity.why_no_name("on the page Review"))
        return
    field = f"{key}.note"
    st.text_area(
        "Note", key=field, max_chars=_MAX_LENGTH, height=80, label_visibility="collapsed", placeholder="Write a note"
    )
    st.button("Add note", key=f"{key}.add_note", on_click=partial(_add, place, reader, field, f"{key}.notes"))


def _add(place: ClaimRef, reader: str, field: str, message_place: str) -> None:
    text = session.widget_text(field) or ""
    action = partial(notes.add_note, opened_store.store(), place, text, author=reader)
    if service_calls.write(action, place=message_place, refusal=identity.why_cannot_label(reader)):
        session.set_widget(field, "")
