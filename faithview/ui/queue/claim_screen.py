"""Parts of the queue page: the open spot-check, one claim at a time, keyboard first.

A key press goes from `queue_controls` through `navigator` to `services.review.queue`, which stores the label and
returns the next claim.
"""

from functools import partial

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.spot_check import SpotCheck
from faithview.services.review.queue import QueuedClaim, QueueStep, place_of
from faithview.ui.components.claim_view import claim_view
from faithview.ui.components.label_buttons import choice_of, coloured_judged, label_buttons, voice_words
from faithview.ui.parts.inherited_labels import stale_labels
from faithview.ui.queue import queue_controls
from faithview.ui.queue.labels_needed import expected_words, labels_needed_words
from faithview.ui.queue.navigator import QueueNavigator
from faithview.ui.shell import app, identity, session
from faithview.wording import numbers as fmt

_HEIGHT = 560
# The changes under a stale label take their height from the claim, so that the buttons do not move.
_STALE_HEIGHT = 200
_GAP = 16
_ESTIMATE_EVERY = 5  # labels between two estimates of how many more are needed
_RENEW_EVERY_S = 60  # a lease lasts five minutes
_QUESTION = "What do the chunks say about the claim?"


@st.fragment
@app.explaining()
def label_claims(check: SpotCheck, name: str) -> None:
    """Draw the reviewer's claim; a key press reruns this part of the page alone."""
    navigator = _navigator(check, name)
    queue_controls.answer_keys(navigator)
    step = navigator.current(app.services())
    claim = step.claim
    _progress(check, navigator, step)
    if claim is None:
        queue_controls.end_controls(navigator, check)
        queue_controls.take_keys(navigator, check, is_labelled=False)
        return
    place = f"{check.spot_check_id}.{claim.item.position}"
    stale_labels(claim.stale, key=f"queue.{place}", height=_STALE_HEIGHT)
    claim_view(
        claim.sample,
        claim.text,
        claim.spans,
        subject=place,
        judged=claim.judged,
        key="queue.claim",
        height=_HEIGHT - (_STALE_HEIGHT + _GAP if claim.stale else 0),
        page_keys=queue_controls.PAGE_KEYS,
        mark=claim.mark,
    )
    with st.container(key=queue_controls.AREA):
        _verdict_line(claim, navigator, place)
        label_buttons(
            key=f"queue.label.{place}",
            chosen=choice_of(claim.second_thought or claim.own[-1]) if claim.is_labelled and claim.own else None,
            on_label=partial(queue_controls.press, navigator, claim.mark),
            has_shortcuts=False,
        )
        queue_controls.controls(navigator, place, place_of(claim.item), is_blind=claim.judged is None)
    queue_controls.take_keys(navigator, check, is_labelled=claim.is_labelled)


@st.fragment(run_every=_RENEW_EVERY_S)
@app.explaining()
def keep_lease() -> None:
    """Extend the lease of the claim on screen every minute, so that nobody else gets it while it is being read."""
    navigator = session.QUEUE_NAVIGATOR.get()
    if isinstance(navigator, QueueNavigator) and identity.can_label(navigator.reviewer):
        try:
            navigator.renew(app.services())
        except NotFound:  # the spot-check was deleted, which the next key press will report
            return


def _verdict_line(claim: QueuedClaim, navigator: QueueNavigator, place: str) -> None:
    """Draw the reviewer's verdict, beside the judge's where it is shown; one line in every case, so nothing moves."""
    with st.container(horizontal=True, vertical_alignment="center", height=40, border=False, gap="medium"):
        words = _QUESTION
        if claim.own:
            said = voice_words(claim.own[-1], claim.second_thought)
            words = f"You{'' if claim.is_labelled else ', outside this spot-check'}: {said}"
        if claim.judged is not None:
            agrees = claim.is_labelled and claim.own[-1].verdict is claim.judged.verdict
            words += f" &nbsp;&nbsp; Judge: {coloured_judged(claim.judged)}" + (" :gray[(you agree)]" if agrees else "")
        st.markdown(words, width="content")
        if claim.judged is None:
            queue_controls.reveal_button(navigator, place, is_labelled=claim.is_labelled)
        if claim.is_labelled:
            queue_controls.go_on_button(navigator, place)


def _progress(check: SpotCheck, navigator: QueueNavigator, step: QueueStep) -> None:
    """Draw how far the spot-check has come: "Claim 1 of 16. These 16 will give the score to about ±0.15."."""
    progress, claim = step.progress, step.claim
    done, items = progress.done, progress.items
    if claim is None:
        words = [f"{fmt.count(done)} of {fmt.plural(items, 'claim')} labelled"]
    elif claim.is_labelled:
        words = [f"A claim that you have labelled, {fmt.count(done)} of {fmt.count(items)} done"]
    else:
        words = [f"Claim {fmt.count(min(done + 1, items))} of {fmt.count(items)}"]
    if own := progress.by_reviewer.get(navigator.reviewer, 0):
        words[0] += f", {fmt.count(own)} by you" if len(progress.by_reviewer) > 1 else ""
    if claim is not None:
        needed = labels_needed_words(check.spot_check_id, done // _ESTIMATE_EVERY) if done >= _ESTIMATE_EVERY else None
        words.append(f"The score so far needs {needed}" if needed else expected_words(check.spot_check_id, items) or "")
        seconds = navigator.seconds_left(items - done)
        words.append(f"About {fmt.duration(seconds)} left at your pace" if seconds and done < items else "")
    st.progress(done / items if items else 0.0, text=". ".join(word for word in words if word) + ".")


def _navigator(check: SpotCheck, name: str) -> QueueNavigator:
    last = session.QUEUE_NAVIGATOR.get()
    if isinstance(last, QueueNavigator) and (last.spot_check_id, last.reviewer) == (check.spot_check_id, name):
        return last
    navigator = QueueNavigator(spot_check_id=check.spot_check_id, reviewer=name)
    session.QUEUE_NAVIGATOR.set(navigator)
    return navigator
