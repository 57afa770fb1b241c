"""The notes on a claim, the field for a new one, and the newest notes. Notes are shown verbatim."""

from functools import partial

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.label import FeedNote, Note
from faithview.services.review import notes
from faithview.services.review.notes import list_newest_notes
from faithview.ui import address, identity, navigation, opened_store, series, service_calls, session
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


_NUMBER = 4
_MAX_CHARACTERS = 120


def note_feed() -> None:
    """Draw the newest notes on claims of the series in view; nothing if there are none."""
    newest = list_newest_notes(
        opened_store.store(), limit=_NUMBER, reader=identity.current_reviewer(), series=series.in_view()
    )
    if not newest:
        return
    st.header("Newest notes", anchor=False)
    for number, one in enumerate(newest):
        _line(one, number)


def _line(one: FeedNote, number: int) -> None:
    note = one.note
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f"{fmt.literal(_short(note.text))}  \n:small[:gray[{fmt.literal(note.author)}, "
            f"{fmt.day_and_time(note.at)}, on “{fmt.literal(_short(one.claim))}” in {fmt.literal(one.run_name)}]]"
        )
        if st.button("Open", key=f"notes.open.{number}", type="tertiary", help="Open the claim on Answers"):
            st.switch_page(
                navigation.ANSWERS, query_params=address.link(note.place.run_id, one.key, note.place.claim_number)
            )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_CHARACTERS else f"{line[:_MAX_CHARACTERS]}…"
