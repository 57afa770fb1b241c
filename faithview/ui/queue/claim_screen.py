"""Parts of the queue page: the open spot-check, one claim at a time, keyboard first."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.spot_check import QueueProgress, SpotCheck
from faithview.services.review import queue
from faithview.services.review.corrected_score import HALF_WIDTH
from faithview.services.review.queue import QueuedClaim
from faithview.ui.components.claim_view import claim_view
from faithview.ui.components.label_buttons import choice_of, coloured, label_buttons, label_words
from faithview.ui.parts.inherited_labels import stale_labels
from faithview.ui.queue.labels_needed import labels_left
from faithview.ui.queue.navigator import QueueNavigator, labels_here
from faithview.ui.shell import address, app, identity, session, write
from faithview.wording import numbers as fmt

_WRITE_PLACE = "queue"
_HEIGHT = 560
# What has changed under a stale label takes its room from the claim, so that the buttons stay where they are.
_STALE_HEIGHT = 200
_GAP = 16
_TOLD_EVERY = 5  # labels after which it is worked out anew how many more it takes
_RENEW_EVERY_S = 60  # a lease lasts five minutes
_NOTE = ".st-key-queue_note input"
PAGE_KEYS = {
    "?": ".st-key-queue_keys button",
    "n": _NOTE,
    "Enter": ".st-key-queue_go button",
    "Escape": _NOTE,
}
KEYS = (
    ("1, 2, 3, 4", "supported, partially supported, not mentioned, contradicted"),
    ("5", "not a claim: the judge took something for one that is none"),
    ("Enter", "go on, after the judge was revealed"),
    ("J, K", "next and previous claim"),
    ("S", "skip: put the claim aside for now"),
    ("U", "undo: take your newest label back"),
    ("N", "write a note; Esc leaves it"),
    ("?", "this sheet"),
)


# Words as they are shown: the address holds what a widget shows.
SPOT_CHECKS, DISAGREEMENTS = "Spot-checks", "Disagreements"


def choose_part() -> str:
    """Draw the choice between spot-checks and disagreements, kept in the address, and return what is chosen."""
    chosen = st.segmented_control(
        "Part",
        [SPOT_CHECKS, DISAGREEMENTS],
        default=SPOT_CHECKS,
        required=True,
        key="part",
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen or SPOT_CHECKS


def find_check() -> SpotCheck | None:
    """Return the spot-check that the address names; None where it names none that there is."""
    wanted = address.selected_check()
    if wanted is None:
        return None
    found = {check.spot_check_id: check for check in queue.list_spot_checks(app.services())}
    if wanted not in found:
        st.info(f"There is no spot-check {wanted} in this store.", icon=":material/link_off:")
        address.select_check(None)
    return found.get(wanted)


def heading(check: SpotCheck) -> None:
    """Draw the spot-check's name and the way back to all of them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All spot-checks", icon=":material/arrow_back:", key="queue.leave", on_click=_leave)
        manner = "blind" if check.is_blind else "the judge's verdict is shown"
        st.markdown(f"**{fmt.literal(check.name)}** &nbsp; :small[:gray[{manner}]]")


@st.fragment
def walk_through(check: SpotCheck, name: str) -> None:
    """Draw the claim that is next for this person; a key press draws this part of the page alone."""
    walk = _walk(check, name)
    step = walk.current(app.services())
    claim = step.claim
    _progress(check, walk, step.progress)
    if claim is None:
        _nothing_left(walk, step.progress)
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
        page_keys=PAGE_KEYS,
    )
    _verdict_line(claim, walk, place)
    here = labels_here(claim)
    chosen = choice_of(here[-1]) if here else None
    label_buttons(key=f"queue.label.{place}", chosen=chosen, on_label=partial(_label, walk, claim.item.position, place))
    _controls(walk, place)


@st.fragment(run_every=_RENEW_EVERY_S)
def keep_lease() -> None:
    """Lengthen the lease of the claim on screen every minute, so that nobody else gets it while it is being read."""
    walk = session.QUEUE_NAVIGATOR.get()
    if isinstance(walk, QueueNavigator) and identity.can_label(walk.reviewer):
        try:
            walk.renew(app.services())
        except NotFound:  # the spot-check was deleted meanwhile, which the next key press will say
            return


def _verdict_line(claim: QueuedClaim, walk: QueueNavigator, place: str) -> None:
    """Draw what was said, beside what the judge says; one line in every case, so that nothing jumps."""
    with st.container(horizontal=True, vertical_alignment="center", height=40, border=False, gap="medium"):
        if claim.judged is None:
            st.markdown("What do the chunks say about the claim?", width="content")
            return
        here = labels_here(claim)
        words = "What do the chunks say about the claim?"
        if claim.own:
            words = f"You{'' if here else ', elsewhere'}: {label_words(claim.own[-1])}"
        agrees = bool(here) and here[-1].verdict is claim.judged.verdict
        verdict = f"Judge: {coloured(claim.judged.verdict)}" + (" :gray[(you agree)]" if agrees else "")
        st.markdown(f"{words} &nbsp;&nbsp; {verdict}", width="content")
        if here and claim.check.is_blind:
            with st.container(key="queue_go", width="content"):
                go_on = partial(_safely, partial(walk.forward, app.services()))
                st.button("Go on (Enter)", type="tertiary", key=f"queue.{place}.go", on_click=go_on)


def _controls(walk: QueueNavigator, place: str) -> None:
    services = app.services()
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        with st.container(key="queue_note", width=330):
            st.text_input(
                "Note",
                key=_note_key(place),
                placeholder="Note (N), kept with your next label",
                label_visibility="collapsed",
            )
        st.text_input(
            "Corrected text",
            key=_corrected_key(place),
            placeholder="What it should say, if you know",
            label_visibility="collapsed",
            width=290,
        )
        key = f"queue.{place}"
        _button("Previous", "arrow_back", "K", f"{key}.back", partial(_back, walk))
        _button("Next", "arrow_forward", "J", f"{key}.forward", partial(walk.forward, services))
        _button("Skip", "redo", "S", f"{key}.skip", partial(walk.skip, services))
        _button("Undo", "undo", "U", f"{key}.undo", partial(_undo, walk))
        with st.container(key="queue_keys", width="content"):
            if st.button("Keys", type="tertiary", icon=":material/keyboard:", key="queue.keys"):
                key_sheet()
    write.show_message(_WRITE_PLACE)


def _button(words: str, icon: str, shortcut: str, key: str, action: Callable[[], object]) -> None:
    st.button(
        words, icon=f":material/{icon}:", shortcut=shortcut, key=key, type="tertiary", on_click=partial(_safely, action)
    )


@st.dialog("Keys")
def key_sheet() -> None:
    """Draw the sheet of keys."""
    st.markdown("\n".join(["| Key | Does |", "| --- | --- |", *(f"| {key} | {what} |" for key, what in KEYS)]))
    st.caption("Keys rest while you type in a field.")


def _progress(check: SpotCheck, walk: QueueNavigator, progress: QueueProgress) -> None:
    own = progress.by_reviewer.get(walk.reviewer, 0)
    words = [f"{progress.done} of {progress.items} labelled", f"you {own}"]
    seconds = walk.seconds_left(progress.items - progress.done)
    if seconds and progress.done < progress.items:
        words.append(f"about {fmt.duration(seconds)} left at your pace")
    if more := _labels_left(check, progress):
        words.append(more)
    st.progress(progress.done / progress.items if progress.items else 0.0, text=", ".join(words))


def _labels_left(check: SpotCheck, progress: QueueProgress) -> str | None:
    """Return how many more labels the wanted precision takes; None where nothing can be told of it yet."""
    step = progress.done if progress.done >= progress.items else progress.done // _TOLD_EVERY
    left = labels_left(check.spot_check_id, check.run_ids, step)
    if left is None:
        return None
    wanted = fmt.plus_minus(HALF_WIDTH)
    return f"about {fmt.count(left)} more for {wanted}" if left else f"{wanted} is reached"


def _nothing_left(walk: QueueNavigator, progress: QueueProgress) -> None:
    if walk.skipped:
        st.markdown(f"Nothing is left but the {fmt.plural(len(walk.skipped), 'claim')} that you put aside.")
        st.button("Take them up", type="primary", key="queue.take_up", on_click=walk.skipped.clear)
    elif progress.done >= progress.items:
        st.markdown("Every claim of this spot-check is labelled.")
    else:
        st.markdown("There is nothing left for you here: others have the rest, or have still to label it.")
        st.button("Look again", icon=":material/refresh:", key="queue.again")
    with st.container(horizontal=True):
        _button("Previous", "arrow_back", "K", "queue.end.back", partial(_back, walk))
        _button("Undo", "undo", "U", "queue.end.undo", partial(_undo, walk))


def _label(walk: QueueNavigator, position: int, place: str, verdict: str) -> None:
    _safely(partial(_store_label, walk, position, place, verdict))


def _store_label(walk: QueueNavigator, position: int, place: str, verdict: str) -> None:
    services = app.services()
    fields = (_note_key(place), _corrected_key(place))
    note, corrected = (session.widget_text(field) for field in fields)
    if walk.label(services, position, verdict, note, corrected):
        for field in fields:
            session.set_widget(field, "")


def _undo(walk: QueueNavigator) -> None:
    if not walk.undo(app.services()):
        write.set_message(_WRITE_PLACE, "You have no label in this spot-check that could be taken back.")


def _back(walk: QueueNavigator) -> None:
    has_earlier = bool(walk.history) and walk.index != 0
    if not walk.back(app.services()) and has_earlier:
        write.set_message(
            _WRITE_PLACE, "There is no claim before this one that you could have: others took those you left."
        )


def _safely(action: Callable[[], object]) -> None:
    """Do what a key asks for if this session may write now; what goes wrong is said on the page that follows."""
    walk = session.QUEUE_NAVIGATOR.get()
    reviewer = walk.reviewer if isinstance(walk, QueueNavigator) else None
    write.write(action, place=_WRITE_PLACE, refusal=identity.why_cannot_label(reviewer))


def _walk(check: SpotCheck, name: str) -> QueueNavigator:
    kept = session.QUEUE_NAVIGATOR.get()
    if isinstance(kept, QueueNavigator) and (kept.spot_check_id, kept.reviewer) == (check.spot_check_id, name):
        return kept
    walk = QueueNavigator(spot_check_id=check.spot_check_id, reviewer=name)
    session.QUEUE_NAVIGATOR.set(walk)
    return walk


def _note_key(place: str) -> str:
    return f"queue.note.{place}"


def _corrected_key(place: str) -> str:
    return f"queue.corrected.{place}"


def _leave() -> None:
    address.select_check(None)
    walk = session.QUEUE_NAVIGATOR.take()
    if isinstance(walk, QueueNavigator):
        try:
            walk.release(app.services())
        except NotFound:  # deleted meanwhile: there is no lease either
            return
