"""A label before its reviewer is known: the claim is on screen at once, and its first label asks for the name.

Until then nothing is stored. The label waits in the session, and is stored as soon as the name is given.
"""

import math
from functools import partial

import streamlit as st

from faithview.domain.spot_check import SpotCheck
from faithview.services.review import queue
from faithview.services.review.queue import QueuedClaim, QueueStep
from faithview.store.spot_checks import get_queue_progress
from faithview.ui import opened_store, session
from faithview.ui.review.claim_screen import HEIGHT, QUESTION, WRITE_PLACE, show_progress
from faithview.ui.review.navigator import QueueNavigator
from faithview.ui.review.spot_check_results import finished_result
from faithview.ui.widgets.answer_view import claim_view
from faithview.ui.widgets.label_bar import answer_first_press, label_without_name


def draw_first_claim(check: SpotCheck) -> None:
    """Draw the first free claim of a spot-check for a user without a name, or why there is nothing to label."""
    answer_first_press()
    claim = queue.next_claim(opened_store.store(), check.spot_check_id, reviewer=queue.UNNAMED)
    if claim is None:
        finished_result(check, None)
        return
    progress = get_queue_progress(opened_store.store().db, check.spot_check_id)
    show_progress(check, QueueStep(claim=claim, progress=progress))
    claim_view(
        claim.sample,
        claim.text,
        claim.spans,
        subject=f"{check.spot_check_id}.{claim.item.position}",
        judged=None if claim.judged is None else (claim.judged, claim.certainty),
        key="queue.claim",
        height=HEIGHT,
        mark=claim.mark,
    )
    st.markdown(QUESTION)
    label_without_name(claim.mark, partial(_label, claim), place=WRITE_PLACE)


def _label(claim: QueuedClaim, name: str, mark: str, verdict: str) -> None:
    """Begin the reviewer's way through the spot-check at the claim that they have labelled."""
    navigator = QueueNavigator(
        spot_check_id=claim.check.spot_check_id,
        reviewer=name,
        history=[claim.item.position],
        index=0,
        item_id=claim.item.item_id,
        mark=claim.mark,
        shown_at=-math.inf,  # how long they took is unknown
    )
    session.QUEUE_NAVIGATOR.set(navigator)
    navigator.label(opened_store.store(), mark, verdict, None)
