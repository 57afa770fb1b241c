"""A claim on which two judges differ, opened: what either says and why, the answer, the chunks, and the label keys."""

import streamlit as st

from faithview.domain.claim import Claim, ClaimRef
from faithview.domain.errors import FaithViewError
from faithview.domain.sample import Sample
from faithview.services.judge_quality.head_to_head import ClaimDifference
from faithview.services.results.answers import get_answer_at
from faithview.services.review.label_keys import mark_claim
from faithview.ui.components.claim_view import claim_view
from faithview.ui.components.label_buttons import coloured_judged
from faithview.ui.parts.labels import claim_labels
from faithview.ui.shell import address, app, nav
from faithview.wording import numbers as fmt

PAGE = "judges"
_HEIGHT = 380


def opened_claim(item: ClaimDifference, names: tuple[str, str]) -> None:
    """Draw the claim; a label is stored with the first judge's run, and counts for both.

    Args:
        item: the claim in either judge's run.
        names: the judges' names.
    """
    try:
        details = [get_answer_at(app.services(), place.run_id, place.row) for place in (item.first, item.second)]
    except FaithViewError as error:
        st.text(str(error))
        claim_labels.label_bar(PAGE, None, words="")
        return
    judged = [
        detail.result.claims[place.claim_number - 1]
        for detail, place in zip(details, (item.first, item.second), strict=True)
    ]
    places = (item.first, item.second)
    for column, name, claim, detail, place in zip(st.columns(2), names, judged, details, places, strict=True):
        with column:
            _reasons(name, claim, detail.sample, place)
    first = judged[0]
    mark = mark_claim(item.first.run_id, item.first.row, item.first.claim_number, first.text)
    claim_view(
        details[0].sample,
        first.text,
        [(span.start, span.end) for span in first.spans],
        subject=mark,
        judged=None,
        key="judges.claim",
        height=_HEIGHT,
        mark=mark,
    )
    claim_labels.label_bar(PAGE, item.first, words="This claim")


def _reasons(name: str, claim: Claim, sample: Sample, place: ClaimRef) -> None:
    st.markdown(f"**{fmt.literal(name)}** &nbsp; {coloured_judged(claim)}")
    if claim.explanation:
        st.text(claim.explanation)
    texts = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    quotes = [item for item in claim.evidence if item.span is not None and item.chunk_id in texts]
    for item in quotes:
        assert item.span is not None  # noqa: S101 - those without a place in their chunk are left out above
        words = " ".join(texts[item.chunk_id][item.span.start : item.span.end].split())
        st.text(f"{item.chunk_id}: “{words}”")
    if not quotes:
        st.caption("It quotes no chunk.")
    st.page_link(
        nav.INSPECT,
        label=f"Inspect with {name}",
        icon=":material/find_in_page:",
        query_params=address.link(place.run_id, str(place.row), place.claim_number),
    )
