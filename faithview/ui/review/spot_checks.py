"""The spot-checks that wait for labels, the reviewer's own first; below them a new one, and the results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import Run
from faithview.domain.spot_check import Design, SpotCheck
from faithview.services.results import list_runs
from faithview.services.review import queue as review_queue
from faithview.services.review import spot_checks as review_spot_checks
from faithview.services.review.queue import ReviewerQueue, assign_check
from faithview.services.review.spot_checks import DrawOrder, half_width_for, labels_for
from faithview.stats.intervals import HEADLINE_HALF_WIDTH
from faithview.store.spot_checks import list_reviewers
from faithview.ui import address, identity, opened_store, series, service_calls
from faithview.ui.membership import MAX_NAME
from faithview.ui.review.spot_check_results import MESSAGES, results_table
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
        words.append(f"{fmt.count(carried)} labelled in other spot-checks")
    return " · ".join(words) or "no reviewer yet"


@st.dialog("Assign the spot-check")
def assign_dialog(check: SpotCheck, assigned: tuple[str, ...], name: str) -> None:
    """Draw the choice of reviewers who have the spot-check in their queues."""
    st.markdown(
        f"**{fmt.literal(check.name)}** comes first in the queues of the reviewers you choose. Others can still help."
    )
    chosen = _choose_reviewers("Reviewers", key=f"assign.reviewers.{check.spot_check_id}", default=assigned)
    if not st.button("Save", type="primary", key="assign.save"):
        return
    if not service_calls.allow(identity.why_cannot_label(name) or _refuse_unknown(chosen)):
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


def spot_checks() -> None:
    """Draw the spot-checks that wait for labels, the reviewer's own first, then a new one, then the results."""
    name = identity.current_reviewer()
    service_calls.show_message(MESSAGES)
    queues = review_queue.list_queues(opened_store.store(), name)
    has_own = _open_checks([queue for queue in queues if not queue.is_done], name)
    draw_form(is_primary=not has_own)
    if queues:
        _results([queue.check for queue in queues if queue.is_done])
    else:
        st.caption(
            "A spot-check is a random sample of claims for reviewers to label. It shows how often the judge is wrong, "
            "and corrects the score."
        )


_MAX_RUNS = 200
_DESIGN_WORDS = {Design.RANDOM: "At random", Design.BALANCED: "Half flagged, half supported"}
_ROUND_SIZES = (20, 50)
_HALF_WIDTH = 0.05  # the precision that the largest proposal gives
_MAX_LABELS = 10_000
_MAX_TITLE = 100  # characters
_OWN_NAME = "new_check.reviewer"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choices:
    """What is chosen under "More"; `labels` is None where one of the proposals is to be taken."""

    runs: Sequence[Run]
    labels: int | None
    design: Design
    is_blind: bool
    people: int
    reviewers: list[str]


def draw_form(*, is_primary: bool) -> None:
    """Draw the form, and open the spot-check once it is started; for a user who may not label, the reason.

    Args:
        is_primary: whether the form's button is the one that the page leads to.
    """
    st.header("New spot-check", anchor=False)
    if not identity.may_give_name() and identity.ask_reviewer() is None:
        return
    with st.container(border=True, gap="small"):
        front = st.container()
        with st.expander("More"):
            choices = _choose()
    with front:
        widths = _proposals([run.run_id for run in choices.runs], choices.labels)
        title, size, is_started = _ask(choices, widths, is_primary=is_primary)
    if is_started and size is not None:
        _start(choices, title, size)


def _ask(choices: _Choices, widths: Mapping[int, float | None], *, is_primary: bool) -> tuple[str, int | None, bool]:
    """Draw the part that is always open; return the name, the number of labels, and whether to start."""
    default = _default_name(choices.runs)
    with st.form("new_check", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            sizes = list(widths)
            size = st.segmented_control(
                "How sure?",
                sizes,
                default=choices.labels or _best(widths),
                format_func=lambda number: _size_words(number, widths[number], is_first=number == sizes[0]),
                key=f"new_check.size.{'.'.join(map(str, sizes))}.{choices.labels}",
                help=_SIZE_HELP,
                width="content",
            )
            title = st.text_input(
                "Name", key="new_check.name", max_chars=_MAX_TITLE, placeholder=default, width=_FIELD_WIDTH
            )
            if identity.current_reviewer() is None:
                st.text_input("Your name", key=_OWN_NAME, max_chars=MAX_NAME, placeholder="Asked once", width=150)
            is_started = st.form_submit_button(
                "Start", type="primary" if is_primary else "secondary", key="new_check.draw", disabled=not sizes
            )
        st.caption(_what_words(choices))
    return title.strip() or default, size or _best(widths), is_started


def _start(choices: _Choices, title: str, size: int) -> None:
    name = identity.current_reviewer() or identity.keep_name(_OWN_NAME)
    if name is None:
        st.error("Enter your name next to Start. It is stored with the spot-check and with your labels.")
        return
    order = DrawOrder(
        name=title,
        run_ids=[run.run_id for run in choices.runs],
        size=size,
        design=choices.design,
        is_blind=choices.is_blind,
        reviewers_per_item=choices.people,
    )
    if not service_calls.allow(identity.why_cannot_label(name) or _refuse_unknown(choices.reviewers)):
        return
    try:
        check = review_spot_checks.draw(opened_store.store(), order, created_by=name)
        if choices.reviewers:
            assign_check(opened_store.store(), check, choices.reviewers, assigned_by=name)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return
    address.select_check(check)
    st.rerun()


def _choose() -> _Choices:
    """Draw the fields under "More", which change what the proposals are about, and return what is chosen."""
    runs = {run.run_id: run for run in list_runs(opened_store.store(), limit=_MAX_RUNS)}
    in_view = address.selected_run()
    newest = next((run_id for run_id, run in runs.items() if run.series == series.in_view()), None)
    chosen = st.multiselect(
        "From",
        list(runs),
        default=[in_view] if in_view in runs else [newest] if newest is not None else list(runs)[:1],
        format_func=lambda run_id: f"{runs[run_id].name}   {fmt.run_line(runs[run_id])}",
        key="new_check.runs",
    )
    left, right = st.columns(2)
    labels = left.number_input(
        "Another number of labels", 1, _MAX_LABELS, value=None, placeholder="as chosen above", key="new_check.labels"
    )
    design = right.selectbox(
        "Draw",
        list(_DESIGN_WORDS),
        index=0,
        format_func=_DESIGN_WORDS.__getitem__,
        key="new_check.design",
        help=_DESIGN_HELP,
    )
    left, right = st.columns([2, 1])
    reviewers = left.container()
    people = right.number_input("Reviewers for each claim", 1, 20, value=1, key="new_check.people")
    with reviewers:
        asked = _choose_reviewers("Reviewers (empty: open to all)", key="new_check.reviewers")
    is_blind = st.toggle("Blind", value=True, key="new_check.blind", help=_BLIND_HELP)
    return _Choices(
        runs=[runs[run_id] for run_id in chosen],
        labels=labels,
        design=design or Design.RANDOM,
        is_blind=is_blind,
        people=people,
        reviewers=asked,
    )


def _proposals(run_ids: Sequence[str], own: int | None) -> dict[int, float | None]:
    """Return the numbers of labels to choose from, each with half the width of the interval that it gives.

    Round numbers, as many as the precision takes, and the user's own number. None if even ±0.30 needs more.
    """
    if not run_ids:
        return {}
    store = opened_store.store()
    try:
        precise = min(labels_for(store, run_ids, _HALF_WIDTH), _MAX_LABELS)
        sizes = {precise, *(size for size in _ROUND_SIZES if size < precise), *([own] if own else [])}
        return {size: half_width_for(store, run_ids, size) for size in sorted(sizes)}
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return {}


def _best(widths: Mapping[int, float | None]) -> int | None:
    """Return the fewest labels that are enough to show a corrected score, or the most proposed."""
    enough = (size for size, width in widths.items() if width is not None and width <= HEADLINE_HALF_WIDTH)
    return next(enough, max(widths, default=None))


def _size_words(labels: int, width: float | None, *, is_first: bool) -> str:
    """Write a proposal: "20 labels (usually within ±0.15)", "50 (±0.10)", "12 labels (exact)" for every claim."""
    words = fmt.plural(labels, "label") if is_first else fmt.count(labels)
    if width is None:
        return words
    if width == 0:
        return f"{words} (exact)"
    return f"{words} ({'usually within ' if is_first else ''}{fmt.plus_minus(width)})"


def _default_name(runs: Sequence[Run]) -> str:
    """Write what is drawn and when: "Spot-check of 2026-w46, 24 Nov"."""
    what = _short_name(runs[0]) if len(runs) == 1 else fmt.plural(len(runs), "run")
    now = datetime.now(UTC)
    start, end = "Spot-check of ", f", {now.day} {now:%b}"
    return f"{start}{what[: _MAX_TITLE - len(start) - len(end)]}{end}"


def _short_name(run: Run) -> str:
    """Return a run's name without that of its series before it."""
    return run.name.removeprefix(f"{run.series} ") or run.name


def _what_words(choices: _Choices) -> str:
    """Say what Start draws: "Claims of 2026-w46. Blind: you label before you see the judge's verdict."."""
    if not choices.runs:
        return "Choose a run under More."
    names = fmt.listed([fmt.literal(_short_name(run)) for run in choices.runs])
    blind = (
        "Blind: you label before you see the judge's verdict." if choices.is_blind else "The judge's verdict is shown."
    )
    half = ", half of them among those that the judge flags" if choices.design is Design.BALANCED else ""
    return f"Claims of {names}{half}. {blind}"


_FIELD_WIDTH = 270
_SIZE_HELP = (
    "How many claims to label, and half the width that the corrected score's 95% interval then has at most in about "
    "four spot-checks of five. The better the judge agrees with reviewers, the narrower the interval. The "
    f"corrected score is shown once there are enough labels for {fmt.plus_minus(HEADLINE_HALF_WIDTH)}."
)
_DESIGN_HELP = (
    "Half flagged, half supported shows more of the judge's false alarms. Both correct the score, because the chance "
    "with which each claim is drawn is known. At random gives the narrower interval with few labels."
)
_BLIND_HELP = "The judge's verdict, reason and evidence are hidden until your label, which they must not influence."


def _choose_reviewers(label: str, *, key: str, default: tuple[str, ...] = ()) -> list[str]:
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


def _refuse_unknown(names: list[str]) -> str | None:
    """Return, as a sentence, why these reviewers cannot be asked; None if they can. Call it right before the write."""
    allowed = identity.known_reviewers()
    if allowed is None:
        return None
    strangers = [name for name in names if name.casefold() not in {known.casefold() for known in allowed}]
    return f"{strangers[0]} may not label: an admin has to give them the role reviewer first." if strangers else None
