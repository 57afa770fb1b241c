"""Claims that the judge missed, on inspect: marked by their words in the answer, read, and taken back."""

import streamlit as st

from faithview.domain.claim import Verdict
from faithview.domain.errors import FaithViewError
from faithview.domain.label import Label
from faithview.domain.views import AnswerDetail
from faithview.services.review import labels
from faithview.services.review.label_keys import mark_found_claim
from faithview.services.review.labels import LabelProvenance
from faithview.ui.components.label_buttons import coloured
from faithview.ui.inspect.label_bar import AREA, WRITE_PLACE, undo_button
from faithview.ui.shell import app, identity, session, write
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import verdict_word

_LONG, _ANSWER_HEIGHT = 600, 200  # characters, pixels
_QUOTE, _VERDICT, _NOTE, _WORDS, _WHICH = (f"missed.{name}" for name in ("quote", "verdict", "note", "words", "which"))


def missed_claim(detail: AnswerDetail, label: Label, number: int) -> None:
    """Draw who found a claim, and let them take it back."""
    inherited = ", inherited from an earlier run" if label.origin is not None else ""
    with st.container(key=AREA, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f"Claim {number} &nbsp; found by a person: {coloured(label.verdict)} &nbsp; "
            f":small[:gray[{fmt.literal(label.reviewer)}, {fmt.day(label.at)}{inherited}; the judge missed it]]",
            width="content",
        )
        if label.reviewer == identity.current_reviewer():
            undo_button(mark_found_claim(detail.run_id, detail.position, label), key=f"labels.found.{label.label_id}")
    write.show_message(WRITE_PLACE)


def mark_button(detail: AnswerDetail) -> None:
    """Draw the button that marks a part of the answer as a claim that the judge missed."""
    if st.button("Add a claim", type="tertiary", icon=":material/add_comment:", key="missed.open", help=_HELP):
        session.forget_widgets(_QUOTE, _NOTE, _WORDS, _VERDICT, _WHICH)
        _mark(detail)


@st.dialog("A claim that the judge missed", width="medium")
def _mark(detail: AnswerDetail) -> None:
    """Draw the form; it stays open while what is given cannot be stored."""
    name = identity.ask_reviewer()
    if name is None:
        return
    answer = detail.sample.answer
    with st.container(height=_ANSWER_HEIGHT if len(answer) > _LONG else "content", border=True):
        st.text(answer)
    quote = st.text_area(
        "Words of the answer, copied from above", key=_QUOTE, height=70, placeholder="Word for word"
    ).strip()
    places = answer.count(quote) if quote else 0
    which = 1
    if places > 1:
        which = st.number_input(f"It occurs {places} times; which occurrence?", 1, places, value=1, key=_WHICH)
    if quote and not places:
        st.warning("The answer does not contain exactly these words.", icon=":material/info:")
    verdict = st.segmented_control(
        "What do the chunks say about it?",
        list(Verdict),
        format_func=lambda v: verdict_word(v).capitalize(),
        key=_VERDICT,
    )
    st.text_input("The claim, understandable by itself", key=_WORDS)
    st.text_input("Note", key=_NOTE)
    if not st.button("Save", type="primary", key="missed.store", disabled=not places or verdict is None):
        return
    if verdict is None or not write.allow(identity.why_cannot_label(name)):
        return
    provenance = LabelProvenance(
        reviewer=name, note=session.widget_text(_NOTE), corrected_text=session.widget_text(_WORDS)
    )
    try:
        labels.label_missed_quote(
            app.services(),
            detail.run_id,
            detail.position,
            quote,
            occurrence=int(which) - 1,
            verdict=verdict.value,
            provenance=provenance,
        )
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return
    st.rerun()


_HELP = "For a statement in the answer that no claim covers. It counts in the reviewed score, not in the judge's."
