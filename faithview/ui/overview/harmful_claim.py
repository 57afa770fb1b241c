"""The claim of the newest run that could do most harm, to be read and labelled without leaving the page."""

from functools import partial

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import NotFound
from faithview.services.review.disagreements import LabelledClaim, get_labelled_claim
from faithview.services.review.key_presses import mark_claim
from faithview.services.review.labels import find_most_harmful
from faithview.ui import address, navigation, opened_store, session
from faithview.ui.overview.latest_score import LatestScore, is_relabelled, reviewed_link
from faithview.ui.widgets import label_bar
from faithview.ui.widgets.answer_view import claim_view
from faithview.ui.widgets.new_spot_check import note_opened
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import verdict_word

PAGE = "overview"
_HEIGHT = 260


def answer_keys() -> None:
    """Store what was pressed since the last run of the script; before the page reads anything."""
    label_bar.answer_keys(PAGE)


def harmful_claim(latest: LatestScore | None) -> None:
    """Draw the claim in its answer next to the chunks, the buttons to label it, and the way to the next ones."""
    claim = None if latest is None else _claim(latest.run.run_id)
    if latest is None or claim is None:
        label_bar.label_bar(PAGE, None, words="")
        return
    place, sample = claim.place, claim.sample
    note_opened((place.run_id, place.row))
    with st.container(border=True, key="overview-claim"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.header("The claim that could do most harm", anchor=False, width="content", help=_HELP)
            about = " · ".join(text for text in (sample.question, sample.segment) if text)
            st.markdown(f":gray[{fmt.literal(_short(about))}]", width="content")
        mark = mark_claim(place.run_id, place.row, place.claim_number, claim.judged.text)
        claim_view(
            sample,
            claim.judged.text,
            [(span.start, span.end) for span in claim.judged.spans],
            subject=mark,
            judged=(claim.judged, claim.certainty),
            key="overview.view",
            height=_HEIGHT,
            mark=mark,
        )
        label_bar.label_bar(PAGE, place, words="Verdict", beside=partial(_links, latest, claim))


def _claim(run_id: str) -> LabelledClaim | None:
    """Return the claim to show. A label does not take it away: the reviewer may want to undo it."""
    store = opened_store.store()
    has_arrived = session.PAGES.get()[0] != session.PAGES.get()[1]
    shown = None if has_arrived else session.HARMFUL_CLAIM.get()
    place = ClaimRef(run_id=run_id, row=shown[1], claim_number=shown[2]) if shown and shown[0] == run_id else None
    if place is not None:
        try:
            return get_labelled_claim(store, place)
        except (NotFound, IndexError):  # the run was judged anew
            place = None
    place = find_most_harmful(store, run_id)
    if place is None:
        return None
    session.HARMFUL_CLAIM.set((place.run_id, place.row, place.claim_number))
    return get_labelled_claim(store, place)


def _links(latest: LatestScore, claim: LabelledClaim) -> None:
    """Draw the links to the claim in its answer, and to the other claims with the same verdict."""
    place = claim.place
    if st.button("Open", key="overview.open", type="tertiary", icon=":material/open_in_new:"):
        st.switch_page(
            navigation.ANSWERS, query_params=address.link(place.run_id, claim.sample.key, place.claim_number)
        )
    verdict = claim.effective.verdict or claim.judged.verdict
    others = latest.reviewed.claims.get(verdict, 0) - (claim.effective.verdict is not None)
    if verdict is Verdict.SUPPORTED or others < 1:
        return
    words = f"{fmt.count(others)} more {verdict_word(verdict)} {fmt.verb(others, 'claim', 'claims')}"
    if latest.view is View.JUDGE and is_relabelled(latest.run.run_id):
        words += ", under reviewers' labels"
    if st.button(f"Next: {words}", key="overview.more", type="tertiary", icon=":material/arrow_forward:"):
        st.switch_page(navigation.ANSWERS, query_params={**reviewed_link(latest.run.run_id), "verdict": verdict.value})


_LONGEST = 90


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"


_HELP = (
    "The newest run's claim with the most expected harm: the severity of a claim times the judge's confidence, "
    "contradictions first, under reviewers' verdicts where there are any."
)
