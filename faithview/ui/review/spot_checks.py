"""The spot-checks, the reviewer's own first, then what is open to all, then the results; and the form for a new one."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.spot_check import SpotCheck
from faithview.services.results import list_runs
from faithview.services.review import queue as review_queue
from faithview.services.review import spot_checks as review_spot_checks
from faithview.services.review.carry_over import count_carried
from faithview.services.review.queue import ReviewerQueue, assign_check
from faithview.services.review.spot_checks import DrawOrder, Strata
from faithview.stats.precision import LabelsNeeded
from faithview.stats.sampling import MOST_WIDENED
from faithview.stats.spot_check import Unit
from faithview.ui import address, identity, opened_store, series, service_calls
from faithview.ui.review.spot_check_results import MESSAGES, result_card
from faithview.ui.widgets.carry_over import carried_sentence
from faithview.ui.widgets.new_spot_check import choose_reviewers, refuse_unknown
from faithview.wording import numbers as fmt

_MOST_OPEN = 30
_MOST_RESULTS = 10
_OLDER = "checks.older"


def check_list(name: str | None) -> bool:
    """Draw all spot-checks in groups; return whether there is any."""
    queues = review_queue.list_queues(opened_store.store(), name)
    unfinished = [queue for queue in queues if not queue.is_done]
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
    _results([queue.check for queue in queues if queue.is_done], name)
    return bool(queues)


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
    if name is None:
        return
    with action.container(horizontal=True, vertical_alignment="center", horizontal_alignment="right", gap="xsmall"):
        if queue.open.left:
            st.button(
                "Continue" if progress.by_reviewer.get(name) else "Start",
                key=f"checks.open.{check.spot_check_id}",
                type="primary" if name in queue.assigned else "secondary",
                on_click=partial(address.select_check, check.spot_check_id),
            )
        else:
            st.button(
                "Open",
                key=f"checks.open.{check.spot_check_id}",
                type="tertiary",
                on_click=partial(address.select_check, check.spot_check_id),
            )
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


def _results(checks: Sequence[SpotCheck], name: str | None) -> None:
    if not checks:
        return
    st.header("Results", anchor=False)
    shows_all = len(checks) <= _MOST_RESULTS or st.toggle(f"Show all {fmt.count(len(checks))}", key=_OLDER)
    for check in checks if shows_all else checks[:_MOST_RESULTS]:
        result_card(check, name, in_list=True)


_NEWEST_RUNS = 12
_MAX_SENTENCES = 2
_MAX_RUNS = 200
_STRATA_WORDS = {
    Strata.NONE: "No",
    Strata.SCORE: "By score",
    Strata.SEGMENT: "By segment",
    Strata.VERDICT: "By the judge's verdict",
}
_BY_NUMBER, _BY_PRECISION = "Number", "Precision"
_UNIT_WORDS = {Unit.CLAIM: "Single claims", Unit.ANSWER: "Whole answers"}
_HALF_WIDTH = 0.05  # the precision that the number of labels at first gives
_MAX_LABELS = 10_000


def spot_checks(name: str | None) -> None:
    """Draw the reviewer's own queue, the other spot-checks and their results, and the button for a new one."""
    if name is not None and st.button("New spot-check", type="primary", icon=":material/add:", key="checks.new"):
        new_spot_check(name)
    _carried_labels()
    service_calls.show_message(MESSAGES)
    if not check_list(name):
        st.markdown(
            "A spot-check is a random sample of claims for reviewers to label. About 50 labels show how often the "
            "judge is wrong and correct the score."
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


@st.dialog("New spot-check", width="medium")
def new_spot_check(name: str) -> None:
    """Draw the form for a new spot-check and open the check once it is started."""
    runs = {run.run_id: run for run in list_runs(opened_store.store(), limit=_MAX_RUNS)}
    in_view = address.selected_run()
    newest = next((run_id for run_id, run in runs.items() if run.series == series.in_view()), None)
    title = st.text_input("Name", key="new_check.name", max_chars=100, placeholder="Spot-check")
    chosen = st.multiselect(
        "From",
        list(runs),
        default=[in_view] if in_view in runs else [newest] if newest is not None else list(runs)[:1],
        format_func=lambda run_id: f"{runs[run_id].name}   {fmt.run_line(runs[run_id])}",
        key="new_check.runs",
    )
    left, right = st.columns(2)
    unit = left.selectbox(
        "Sample", list(_UNIT_WORDS), index=0, format_func=_UNIT_WORDS.__getitem__, key="new_check.unit", help=_UNIT_HELP
    )
    strata = right.selectbox(
        "Stratify",
        list(Strata),
        index=0,
        format_func=_STRATA_WORDS.__getitem__,
        key="new_check.strata",
        help=_STRATA_HELP,
    )
    size = _ask_size(chosen, unit or Unit.CLAIM)
    left, right = st.columns(2)
    uncertain = left.toggle("Prefer claims that the judge is unsure of", key="new_check.uncertain")
    stale = sum(count_carried(opened_store.store(), run_id).stale for run_id in chosen)
    regressed = right.toggle(
        "First: claims that changed", value=stale > 0, key=f"new_check.regressed.{stale > 0}", help=_REGRESSED_HELP
    )
    if stale:
        st.caption(
            f"{fmt.plural(stale, 'claim')} with an outdated label {fmt.verb(stale, 'comes', 'come')} first, or as "
            f"many of them as possible with an interval at most {MOST_WIDENED} times as wide as that of a random "
            "sample."
        )
    is_blind = left.toggle("Blind", value=True, key="new_check.blind", help=_BLIND_HELP)
    people = right.number_input("Reviewers for each claim", 1, 20, value=1, key="new_check.people")
    reviewers = choose_reviewers("Reviewers (empty: open to all)", key="new_check.reviewers")
    if not st.button("Start spot-check", type="primary", key="new_check.draw", disabled=not chosen):
        return
    order = DrawOrder(
        name=title,
        run_ids=chosen,
        size=size,
        unit=unit or Unit.CLAIM,
        strata=strata or Strata.NONE,
        prefers_uncertain=uncertain,
        regressed_first=regressed,
        is_blind=is_blind,
        reviewers_per_item=people,
    )
    if not service_calls.allow(identity.why_cannot_label(name) or refuse_unknown(reviewers)):
        return
    try:
        spot_check_id = review_spot_checks.draw(opened_store.store(), order, created_by=name)
        if reviewers:
            assign_check(opened_store.store(), spot_check_id, reviewers, assigned_by=name)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return
    address.select_check(spot_check_id)
    st.rerun()


def _ask_size(run_ids: list[str], unit: Unit) -> int:
    """Return how many labels are wanted: given as a number, or by the precision that the score should have."""
    way = st.segmented_control(
        "How many labels", [_BY_NUMBER, _BY_PRECISION], default=_BY_NUMBER, required=True, key="new_check.way"
    )
    half_width = _HALF_WIDTH
    if way == _BY_PRECISION:
        half_width = st.number_input(
            "Precision of the corrected score (0.05 means ±0.05)",
            0.01,
            0.25,
            value=_HALF_WIDTH,
            step=0.01,
            key="new_check.half_width",
        )
    needed = _labels_for(run_ids, half_width)
    size = min(needed[unit].labels, _MAX_LABELS) if needed else 1
    if way == _BY_NUMBER:
        # Each proposal has its own key, so another sample or run proposes its own number.
        key = f"new_check.size.{unit}.{size}"
        size = st.number_input("Labels", 1, _MAX_LABELS, value=size, key=key, label_visibility="collapsed", width=160)
    if needed:
        st.caption(_advice(needed, half_width))
    return size


def _labels_for(run_ids: list[str], half_width: float) -> dict[Unit, LabelsNeeded]:
    """Return how many labels each kind of sample needs; nothing if there is no run to work it out from."""
    if not run_ids:
        return {}
    try:
        return {
            unit: review_spot_checks.labels_for(opened_store.store(), run_ids, half_width, unit=unit)
            for unit in _UNIT_WORDS
        }
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return {}


def _advice(needed: Mapping[Unit, LabelsNeeded], half_width: float) -> str:
    """Write how many labels each kind of sample needs: "Single claims: about 100 labels for ±0.05 of faithfulness"."""
    claims, answers = (
        f"all {fmt.plural(need.labels, 'claim')}" if need.is_all else f"about {fmt.plural(need.labels, 'label')}"
        for need in (needed[Unit.CLAIM], needed[Unit.ANSWER])
    )
    return (
        f"{_UNIT_WORDS[Unit.CLAIM]}: {claims} for {fmt.plus_minus(half_width)} of faithfulness. "
        f"{_UNIT_WORDS[Unit.ANSWER]}: {answers}."
    )


_UNIT_HELP = (
    "Single claims need fewer labels for the same precision, because claims of one answer are often right or wrong "
    "together. Whole answers show all claims of an answer together."
)
_STRATA_HELP = "Every group gets its share of the labels, so none is missed by chance."
_REGRESSED_HELP = "Claims with an outdated label come first, and claims that were supported in the run before."
_BLIND_HELP = "The judge's verdict, reason and evidence are hidden until the end so they do not influence the labels."
