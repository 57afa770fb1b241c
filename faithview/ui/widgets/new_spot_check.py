"""A spot-check of the claims that a page lists: how many to draw, who labels them, and what the result is about.

Also who has opened which answer with the judge's verdicts in sight: kept once for each answer, reviewer and session.
"""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.errors import FaithViewError
from faithview.services.review import queue
from faithview.services.review.queue import assign_check
from faithview.services.review.spot_checks import ClaimList, draw_from_list
from faithview.store.queues import list_reviewers
from faithview.ui import address, identity, navigation, opened_store, service_calls, session
from faithview.wording import numbers as fmt


def choose_reviewers(label: str, *, key: str, default: tuple[str, ...] = ()) -> list[str]:
    """Draw a choice of reviewers and return those chosen.

    With log-in, only reviewers who may label can be chosen; without, any name can be written.
    """
    allowed = identity.known_reviewers()
    own = identity.current_reviewer()
    names = allowed if allowed is not None else list_reviewers(opened_store.store().db)
    known = sorted({*names, *default, *([own] if own and allowed is None else [])}, key=str.casefold)
    chosen: list[str] = st.multiselect(
        label,
        known,
        default=list(default),
        accept_new_options=allowed is None,
        placeholder="Choose reviewers" if allowed is not None else "Choose or write names",
        key=key,
    )
    return chosen


def refuse_unknown(names: list[str]) -> str | None:
    """Return, as a sentence, why these reviewers cannot be asked; None if they can. Call it right before the write."""
    allowed = identity.known_reviewers()
    if allowed is None:
        return None
    strangers = [name for name in names if name.casefold() not in {known.casefold() for known in allowed}]
    return f"{strangers[0]} may not label: an admin has to give them the role reviewer first." if strangers else None


_SIZE = 40
_MOST_REVIEWERS = 5


@st.dialog("Spot-check these claims")
def spot_check_list(claims: Sequence[ClaimRef], description: str) -> None:
    """Draw the form for a spot-check of listed claims; open the spot-check once it is drawn.

    Args:
        claims: the claims listed, on all pages of the list.
        description: what they are, completing "a spot-check of": "contradicted claims in Billing".
    """
    name = identity.ask_reviewer(place=".list")
    if name is None:
        return
    if not claims:
        st.markdown("No claim matches, so none can be drawn.")
        return
    st.markdown(
        f"{fmt.plural(len(claims), 'claim')}: *{fmt.literal(description)}*. The result is the share of these claims "
        "that reviewers call supported. It does not change a run's corrected score."
    )
    size = st.number_input(
        "Claims to label, drawn at random", 1, len(claims), value=min(_SIZE, len(claims)), key="draw_these.size"
    )
    people = st.number_input("Reviewers for each claim", 1, _MOST_REVIEWERS, value=1, key="draw_these.people")
    reviewers = choose_reviewers("Reviewers", key="draw_these.reviewers", default=(name,))
    is_blind = st.toggle("Blind: the judge is shown at the end", value=True, key="draw_these.blind")
    if not st.button("Start spot-check", type="primary", key="draw_these.start"):
        return
    if not service_calls.allow(identity.why_cannot_label(name) or refuse_unknown(reviewers)):
        return
    try:
        check = draw_from_list(
            opened_store.store(),
            ClaimList(description=description, claims=claims),
            size=size,
            created_by=name,
            is_blind=is_blind,
            reviewers_per_item=people,
        )
        if reviewers:
            assign_check(opened_store.store(), check, reviewers, assigned_by=name)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return
    st.switch_page(navigation.REVIEW, query_params=address.check_link(check))


def note_opened(*answers: tuple[str, int]) -> None:
    """Note that this session shows the judge's verdicts on answers, each given as run and row.

    It is stored under the reviewer's name. Without one it waits in the session until a name is given, for the same eyes
    have seen it then.
    """
    session.OPENED_ANSWERS.set(session.OPENED_ANSWERS.get() | set(answers))
    store_opened()


def store_opened() -> None:
    """Store what the session has shown and not stored yet, if it has a reviewer by now."""
    name = identity.current_reviewer()
    if name is None or not identity.can_label(name):
        return
    stored = session.STORED_ANSWERS.get()
    new = [place for place in session.OPENED_ANSWERS.get() if (name, *place) not in stored]
    if new:
        queue.note_opened(opened_store.store(), new, reviewer=name)
        session.STORED_ANSWERS.set(stored | {(name, *place) for place in new})
    session.OPENED_ANSWERS.clear()
