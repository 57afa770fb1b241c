"""The spot-checks that wait for labels, the reviewer's own first; below them a new one, and the results."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from faithview.domain.spot_check import SpotCheck
from faithview.services.results import list_runs
from faithview.services.review import queue as review_queue
from faithview.services.review.carry_over import count_carried
from faithview.services.review.queue import ReviewerQueue
from faithview.ui import address, identity, opened_store, service_calls
from faithview.ui.review import new_check
from faithview.ui.review.spot_check_results import MESSAGES, results_table
from faithview.ui.widgets.carry_over import carried_sentence
from faithview.ui.widgets.new_spot_check import choose_reviewers, refuse_unknown
from faithview.wording import numbers as fmt

_MOST_OPEN = 30
_MOST_RESULTS = 10
_OLDER = "checks.older"


def _open_checks(unfinished: Sequence[ReviewerQueue], name: str | None) -> bool:
    """Draw the spot-checks that wait for labels in groups; return whether the reviewer's own are among them."""
    own = [queue for queue in unfinished if name is not None and name in queue.assigned]
    anyone = [queue for queue in unfinished if not queue.assigned]
    others = [queue for queue in unfinished if queue.assigned and queue not in own]
    if name is not None and (sentence := _standing(own, unfinished)):
        st.markdown(sentence)
    for heading, group in (
        ("Your queue", own),
        ("Open to all reviewers", anyone),
        ("In other reviewers' queues", others),
    ):
        _group(heading, group, name)
    return any(queue.open.left for queue in own)


def waiting_words(queue: ReviewerQueue) -> str:
    """Return what a spot-check holds for its reviewer: "12 claims left for you; 5 wait for another reviewer"."""
    left, waiting = queue.open.left, queue.open.waiting
    words = []
    if left:
        second = f", {fmt.count(queue.open.started)} as second reviewer" if queue.open.started else ""
        words.append(f"{fmt.plural(left, 'claim')} left for you{second}")
    if waiting:
        words.append(f"{fmt.plural(waiting, 'claim')} {fmt.verb(waiting, 'waits', 'wait')} for a second reviewer")
    return "; ".join(words)


def _standing(own: Sequence[ReviewerQueue], unfinished: Sequence[ReviewerQueue]) -> str:
    """Return the reviewer's progress: what is left in their own queue, or that they are done."""
    left = sum(queue.open.left for queue in own)
    if left:
        return f"**{fmt.plural(left, 'claim')} {fmt.verb(left, 'waits', 'wait')} in your queue.**"
    waiting = sum(queue.open.waiting for queue in unfinished)
    if waiting:
        waits = f"{fmt.plural(waiting, 'claim')} {fmt.verb(waiting, 'waits', 'wait')}"
        return f"**You are done.** {waits} for a second reviewer."
    return ""


def _group(heading: str, group: Sequence[ReviewerQueue], name: str | None) -> None:
    if not group:
        return
    st.header(heading, anchor=False)
    for queue in group[:_MOST_OPEN]:
        _show_queue(queue, name)
    if len(group) > _MOST_OPEN:
        st.caption(f"and {fmt.plural(len(group) - _MOST_OPEN, 'older spot-check')}")


def _show_queue(queue: ReviewerQueue, name: str | None) -> None:
    check, progress = queue.check, queue.progress
    words, bar, people, action = st.columns([5, 4, 4, 3], vertical_alignment="center", gap="medium")
    manner = "blind" if check.is_blind else "not blind"
    each = f" · {check.reviewers_per_item} reviewers each" if check.reviewers_per_item > 1 else ""
    words.markdown(
        f"**{fmt.literal(check.name)}**  \n:small[:gray[{fmt.day(check.created_at)} · "
        f"{fmt.literal(check.created_by)} · {manner}{each}]]"
    )
    done = progress.done / progress.items if progress.items else 0.0
    bar.progress(done, text=f"{fmt.count(progress.done)} of {fmt.plural(progress.items, 'claim')} labelled")
    people.caption("  \n".join(line for line in (_people(queue), waiting_words(queue) if name else "") if line))
    with action.container(horizontal=True, vertical_alignment="center", horizontal_alignment="right", gap="xsmall"):
        has_begun = name is not None and bool(progress.by_reviewer.get(name))
        st.button(
            ("Continue" if has_begun else "Start") if queue.open.left else "Open",
            key=f"checks.open.{check.spot_check_id}",
            type="tertiary" if not queue.open.left else "primary" if name in queue.assigned else "secondary",
            on_click=partial(address.select_check, check.spot_check_id),
        )
        if name is None or not identity.can_label(name):
            return
        key = f"checks.assign.{check.spot_check_id}"
        if st.button("Assign", key=key, type="tertiary", icon=":material/person_add:"):
            assign_dialog(check, queue.assigned, name)


def _people(queue: ReviewerQueue) -> str:
    """Return whose queue it is in and how much each reviewer has labelled."""
    by = sorted(queue.progress.by_reviewer.items(), key=lambda item: (-item[1], item[0]))
    given = {who: fmt.count(number) for who, number in by}
    given = {**given, **{who: "0" for who in queue.assigned if who not in given}}
    labelled = sum(queue.progress.by_reviewer.values())
    carried = queue.progress.done - labelled if queue.check.reviewers_per_item == 1 else 0
    words = [f"{fmt.literal(who)} {number}" for who, number in given.items()]
    if carried > 0:
        words.append(f"{fmt.count(carried)} carried over")
    return " · ".join(words) or "no reviewer yet"


@st.dialog("Assign the spot-check")
def assign_dialog(check: SpotCheck, assigned: tuple[str, ...], name: str) -> None:
    """Draw the choice of reviewers who have the spot-check in their queues."""
    st.markdown(
        f"**{fmt.literal(check.name)}** comes first in the queues of the reviewers you choose. Others can still help."
    )
    chosen = choose_reviewers("Reviewers", key=f"assign.reviewers.{check.spot_check_id}", default=assigned)
    if not st.button("Save", type="primary", key="assign.save"):
        return
    if not service_calls.allow(identity.why_cannot_label(name) or refuse_unknown(chosen)):
        return
    for reviewer in assigned:
        if reviewer not in chosen:
            review_queue.unassign_check(opened_store.store(), check.spot_check_id, reviewer)
    if chosen:
        review_queue.assign_check(opened_store.store(), check.spot_check_id, chosen, assigned_by=name)
    st.rerun()


def _results(checks: Sequence[SpotCheck]) -> None:
    if not checks:
        return
    st.header("Results", anchor=False)
    shows_all = len(checks) <= _MOST_RESULTS or st.toggle(f"Show all {fmt.count(len(checks))}", key=_OLDER)
    results_table(checks if shows_all else checks[:_MOST_RESULTS])


_NEWEST_RUNS = 12
_MAX_SENTENCES = 2


def spot_checks() -> None:
    """Draw the spot-checks that wait for labels, the reviewer's own first, then a new one, then the results."""
    name = identity.current_reviewer()
    service_calls.show_message(MESSAGES)
    _carried_labels()
    queues = review_queue.list_queues(opened_store.store(), name)
    has_own = _open_checks([queue for queue in queues if not queue.is_done], name)
    new_check.draw_form(is_primary=not has_own)
    if queues:
        _results([queue.check for queue in queues if queue.is_done])
    else:
        st.caption(
            "A spot-check is a random sample of claims for reviewers to label. It shows how often the judge is wrong, "
            "and corrects the score."
        )


def _carried_labels() -> None:
    """Draw how many labels were carried over to the newest runs, and how many of them are outdated."""
    store = opened_store.store()
    shown = 0
    for run in list_runs(store, limit=_NEWEST_RUNS):
        sentence = carried_sentence(count_carried(store, run.run_id))
        if sentence and shown < _MAX_SENTENCES:
            st.markdown(f":material/history: *{fmt.literal(run.name)}*: {sentence}")
            shown += 1
