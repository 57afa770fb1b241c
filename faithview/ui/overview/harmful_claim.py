"""The claim of the newest run that could do most harm, next to the words of a chunk that its verdict rests on."""

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.hidden_characters import make_visible
from faithview.services.review.disagreements import LabelledClaim, get_labelled_claim
from faithview.services.review.inbox import find_most_harmful
from faithview.ui import address, navigation, opened_store
from faithview.ui.overview.latest_score import LatestScore, is_relabelled, reviewed_link
from faithview.ui.widgets.label_bar import coloured, coloured_judged
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import verdict_word


def harmful_claim(latest: LatestScore) -> None:
    """Draw the claim next to what a chunk says, and the ways to it and to the next ones; nothing if there is none."""
    store = opened_store.store()
    place = find_most_harmful(store, latest.run.run_id)
    if place is None:
        return
    claim = get_labelled_claim(store, place)
    sample, judged = claim.sample, claim.judged
    with st.container(border=True, key="overview-claim"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.header("The claim that could do most harm", anchor=False, width="content", help=_HELP)
            about = " · ".join(text for text in (sample.question, sample.segment) if text)
            st.markdown(f":gray[{fmt.literal(_short(about))}]", width="content")
        left, right = st.columns(2, gap="medium")
        left.caption("The claim")
        left.text(make_visible(judged.text))
        right.caption("What the chunks say")
        quotes = [f"{item.chunk_id}: “{item.quote}”" for item in judged.evidence if item.is_verified]
        right.text(make_visible("\n".join(quotes) or judged.explanation or "The judge quotes no chunk."))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            words = f"judge {coloured_judged(judged.verdict, claim.certainty)}"
            if claim.effective.is_settled:
                words += f" &nbsp; reviewers {coloured(claim.effective.verdict)}"
            st.markdown(words, width="content")
            _links(latest, claim)


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
