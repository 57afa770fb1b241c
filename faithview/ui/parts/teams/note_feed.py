"""The newest notes on claims, a line each."""

import streamlit as st

from faithview.domain.label import FeedNote
from faithview.services.review.teams.notes import list_newest_notes
from faithview.ui.shell import address, app, identity, nav, series
from faithview.wording import numbers as fmt

_NUMBER = 4
_MAX_CHARACTERS = 120


def note_feed() -> None:
    """Draw the newest notes on claims of the series in view; nothing where there are none."""
    newest = list_newest_notes(
        app.services(), limit=_NUMBER, reader=identity.current_reviewer(), series=series.in_view()
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
        if st.button("Open", key=f"notes.open.{number}", type="tertiary", help="Open the claim on Inspect"):
            st.switch_page(nav.INSPECT, query_params=address.link(note.place.run_id, one.key, note.place.claim_number))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_CHARACTERS else f"{line[:_MAX_CHARACTERS]}…"
