"""A spot-check of the claims that a page lists: how many to draw, who labels them, and what the result is about."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.errors import FaithViewError
from faithview.services.review.checks.listed_claims import ClaimList, draw_from_list
from faithview.services.review.teams.assignments import assign_check
from faithview.ui.parts.teams.reviewer_choice import choose_reviewers, refuse_unknown
from faithview.ui.shell import address, app, identity, nav, write
from faithview.wording import numbers as fmt

_SIZE = 40
_MOST_REVIEWERS = 5


@st.dialog("Spot-check these claims")
def spot_check_list(claims: Sequence[ClaimRef], description: str) -> None:
    """Draw the form for a spot-check of listed claims; open the spot-check once it is drawn.

    Args:
        claims: the claims listed, on all pages of the list.
        description: what they are, completing "a spot-check of": "contradicted claims in Billing".
    """
    name = identity.current_reviewer()
    refusal = identity.why_no_name("on the Queue page") if name is None else identity.why_cannot_label(name)
    if name is None or refusal is not None:
        st.info(refusal or "", icon=":material/lock:")
        return
    if not claims:
        st.markdown("No claim matches, so there is nothing to draw from.")
        return
    st.markdown(
        f"{fmt.plural(len(claims), 'claim')}: *{fmt.literal(description)}*. The result will be about these claims: "
        "which share of them people call supported. It does not change a run's corrected score."
    )
    size = st.number_input(
        "Claims to label, drawn at random", 1, len(claims), value=min(_SIZE, len(claims)), key="draw_these.size"
    )
    people = st.number_input("Reviewers for each claim", 1, _MOST_REVIEWERS, value=1, key="draw_these.people")
    reviewers = choose_reviewers("Reviewers", key="draw_these.reviewers", default=(name,))
    is_blind = st.toggle("Blind: the judge is shown at the end", value=True, key="draw_these.blind")
    if not st.button("Start spot-check", type="primary", key="draw_these.start"):
        return
    if not write.allow(identity.why_cannot_label(name) or refuse_unknown(reviewers)):
        return
    try:
        check = draw_from_list(
            app.services(),
            ClaimList(description=description, claims=claims),
            size=size,
            created_by=name,
            is_blind=is_blind,
            reviewers_per_item=people,
        )
        if reviewers:
            assign_check(app.services(), check, reviewers, assigned_by=name)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return
    st.switch_page(nav.QUEUE, query_params=address.check_link(check))
