"""What becomes of ticked claims: labelled together, with one way to take it back, or assigned to somebody."""

import streamlit as st

from faithview.domain.inbox import InboxFilter
from faithview.services.inbox.assignments import assign_groups
from faithview.services.inbox.bulk_labels import BulkLabels, label_groups, retract_together
from faithview.services.review.labels import LabelProvenance
from faithview.ui.inbox import address
from faithview.ui.inbox.group_list import Press
from faithview.ui.shell import app, identity, series, session
from faithview.ui.shell.write import show_message, write
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import verdict_word

_PLACE = "inbox"
_UNDO = "inbox.undo"


def answer_press(press: Press) -> None:
    """Do what was pressed over the rows that were listed; call it in a callback."""
    reviewer, filters = identity.current_reviewer(), address.read()
    session.INBOX_DONE.clear()
    session.INBOX_NOTE.clear()
    action = _label if press.action == "label" else _assign
    write(lambda: action(press, filters, reviewer or ""), place=_PLACE, refusal=identity.why_cannot_label(reviewer))


def draw_outcome() -> None:
    """Draw what the last press did, with the button that takes labels back."""
    note = session.INBOX_NOTE.get()
    if note is not None:
        with st.container(horizontal=True, vertical_alignment="center", key="inbox.outcome"):
            st.markdown(note, width="content")
            if session.INBOX_DONE.is_set():
                st.button("Undo", icon=":material/undo:", key=_UNDO, on_click=_undo)
    show_message(_PLACE)


def _label(press: Press, filters: InboxFilter, reviewer: str) -> None:
    given = label_groups(
        app.services(),
        press.group_ids,
        filters,
        press.value,
        LabelProvenance(reviewer=reviewer),
        series=series.in_view(),
    )
    session.INBOX_DONE.set(given)
    note = f":material/check: Labelled {fmt.plural(len(given.given), 'claim')}: {verdict_word(press.value)}."
    if given.left_out:
        them = fmt.plural(given.left_out, "equal claim")
        note += f" {them} left out: {fmt.verb(given.left_out, 'its', 'their')} chunks differ."
    session.INBOX_NOTE.set(note)


def _assign(press: Press, filters: InboxFilter, reviewer: str) -> None:
    to = press.value.strip() or None
    number = assign_groups(
        app.services(),
        press.group_ids,
        filters,
        reviewer=to,
        assigned_by=reviewer,
        series=series.in_view(),
    )
    claims = fmt.plural(number, "claim")
    who = f"assigned to {fmt.literal(to)}" if to else "unassigned"
    session.INBOX_NOTE.set(f":material/check: {claims} {who}.")


def _undo() -> None:
    given = session.INBOX_DONE.get()
    reviewer = identity.current_reviewer()
    if not isinstance(given, BulkLabels):
        return
    done = write(
        lambda: retract_together(app.services(), given, LabelProvenance(reviewer=reviewer or "")),
        place=_PLACE,
        refusal=identity.why_cannot_label(reviewer),
    )
    if done:
        session.INBOX_DONE.clear()
        session.INBOX_NOTE.set(f":material/undo: Took {fmt.plural(len(given.given), 'label')} back.")
