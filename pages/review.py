"""Review: reviewers label claims of spot-checks, settle their disagreements, and see how often the judge is wrong."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import Run
from faithview.domain.spot_check import Design, SpotCheck
from faithview.services.results import list_runs
from faithview.services.review.queue import ReviewerQueue, assign_check, list_queues, unassign_check
from faithview.services.review.spot_checks import DrawOrder, draw, half_width_for, labels_for
from faithview.stats.intervals import HEADLINE_HALF_WIDTH
from faithview.store.spot_checks import list_spot_checks
from faithview.ui import address, identity, navigation, opened_store, page_setup, series, service_calls
from faithview.ui.address import CHECK, RUN, go
from faithview.ui.review.disagreements import settle_claims
from faithview.ui.review.queue import label_claims
from faithview.ui.review.result import results_table
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import first_line
from faithview.wording import numbers as fmt

page_setup.require_app()

_TABS = {"checks": "Spot-checks", navigation.DISAGREEMENTS: "Disagreements"}
_MOST_OPEN, _MOST_RESULTS = 30, 10
_MOST_RUNS = 200  # that can be chosen
_ROUND_SIZES = (20, 50)
_HALF_WIDTH = 0.05  # the precision that the largest proposal gives
_MOST_LABELS = 10_000
_MOST_TITLE = 100  # characters
_DESIGN_WORDS = {Design.RANDOM: "At random", Design.BALANCED: "Half flagged, half supported"}
_SIZE_HELP = (
    "How many claims to label, and the margin of the corrected score that about four spot-checks in five then reach. "
    f"The corrected score is shown if its margin is at most {fmt.plus_minus(HEADLINE_HALF_WIDTH)}."
)
_DESIGN_HELP = "*At random* gives the narrower interval."
_BLIND_HELP = "Hides the judge's verdict, reason and evidence until a claim is labelled."


def opened_check() -> SpotCheck | None:
    """Return the spot-check that the address names; None if it names none, or one that does not exist."""
    wanted = CHECK.get()
    if wanted is None:
        return None
    found = next((one for one in list_spot_checks(opened_store.store().db) if one.spot_check_id == wanted), None)
    if found is None:
        st.info(f"There is no spot-check {wanted} in this store.", icon=":material/link_off:")
    return found


def leave_check() -> None:
    """Go back to the list of all spot-checks."""
    go(check=None, item=None)


# ---- the spot-checks that wait for labels


def open_checks(queues: Sequence[ReviewerQueue], name: str | None) -> None:
    """Draw the spot-checks that wait for labels, one per line, the reviewer's own first."""
    if not queues:
        return
    st.header("To label", anchor=False)
    first = sorted(queues, key=lambda queue: name not in queue.assigned)
    for queue in first[:_MOST_OPEN]:
        check, progress = queue.check, queue.progress
        words, bar, people, action = st.columns([5, 4, 4, 3], vertical_alignment="center", gap="medium")
        manner = "blind" if check.is_blind else "not blind"
        each = f" · {check.reviewers_per_item} reviewers each" if check.reviewers_per_item > 1 else ""
        words.markdown(
            f"**{fmt.literal(check.name)}**  \n:small[:gray[{fmt.day(check.created_at)} · "
            f"{fmt.literal(check.created_by)} · {manner}{each}]]"
        )
        done = f"{fmt.count(progress.done)} of {fmt.plural(progress.items, 'claim')} labelled"
        bar.progress(progress.done / max(1, progress.items), text=done)
        people.caption(people_words(queue, name))
        with action.container(horizontal=True, horizontal_alignment="right", gap="xsmall"):
            st.button(
                "Label" if queue.open.left else "Open",
                key=f"checks.open.{check.spot_check_id}",
                type="primary" if queue.open.left and name in queue.assigned else "secondary",
                on_click=partial(go, check=str(check.spot_check_id)),
            )
            if identity.can_label(name) and st.button(
                "Assign", key=f"checks.assign.{check.spot_check_id}", type="tertiary", icon=":material/person_add:"
            ):
                assign_dialog(check, queue.assigned)
    if len(queues) > _MOST_OPEN:
        st.caption(f"and {fmt.plural(len(queues) - _MOST_OPEN, 'older spot-check')}")


def people_words(queue: ReviewerQueue, name: str | None) -> str:
    """Return whose queue it is in, how much each reviewer has labelled, and what is left for this one."""
    given = {**dict.fromkeys(queue.assigned, 0), **queue.progress.by_reviewer}
    lines = [" · ".join(f"{fmt.literal(who)} {fmt.count(number)}" for who, number in given.items()) or "open to all"]
    if name is not None and queue.open.left:
        lines.append(f"{fmt.plural(queue.open.left, 'claim')} left for you")
    if queue.open.waiting:
        lines.append(
            f"{fmt.plural(queue.open.waiting, 'claim')} {fmt.verb(queue.open.waiting, 'waits', 'wait')} for another"
        )
    return "  \n".join(lines)


@st.dialog("Assign the spot-check")
def assign_dialog(check: SpotCheck, assigned: tuple[str, ...]) -> None:
    """Draw the choice of reviewers who have the spot-check first in their list."""
    st.markdown(f"**{fmt.literal(check.name)}** comes first for the reviewers you choose. Others can still help.")
    chosen = choose_reviewers("Reviewers", key=f"assign.{check.spot_check_id}", default=assigned)
    if not st.button("Save", type="primary", key="assign.save"):
        return
    name = identity.current_reviewer()
    if not service_calls.allow(identity.why_cannot_label(name) or why_unknown(chosen)):
        return
    for reviewer in set(assigned) - set(chosen):
        unassign_check(opened_store.store(), check.spot_check_id, reviewer)
    if chosen:
        assign_check(opened_store.store(), check.spot_check_id, chosen, assigned_by=name or "")
    st.rerun()


def choose_reviewers(label: str, *, key: str, default: tuple[str, ...] = ()) -> list[str]:
    """Draw a choice of reviewers and return those chosen; without log-in, any name can be written."""
    names = identity.names_to_choose()
    return st.multiselect(
        label,
        sorted({*names, *default}, key=str.casefold),
        default=list(default),
        accept_new_options=identity.known_reviewers() is None,
        placeholder="Choose reviewers",
        key=key,
    )


def why_unknown(names: Sequence[str]) -> str | None:
    """Return, as a sentence, why these reviewers cannot be assigned; None if they can. Call it right before writing."""
    allowed = identity.known_reviewers()
    known = {name.casefold() for name in allowed or names}
    strangers = [name for name in names if name.casefold() not in known]
    return f"{strangers[0]} may not label: an admin has to give them the role reviewer first." if strangers else None


# ---- a new spot-check


def new_check() -> None:
    """Draw the form, and open the spot-check once it is started."""
    st.header("New spot-check", anchor=False)
    name = identity.ask_reviewer()
    if name is None:
        return
    runs = {run.run_id: run for run in list_runs(opened_store.store(), limit=_MOST_RUNS)}
    in_view = RUN.get()
    newest = next((run_id for run_id, run in runs.items() if run.series == series.in_view()), next(iter(runs)))
    with st.container(border=True, gap="small"):
        chosen = st.multiselect(
            "Claims of",
            list(runs),
            default=[in_view if in_view in runs else newest],
            format_func=lambda run_id: f"{runs[run_id].name}   {fmt.run_line(runs[run_id])}",
            key="new_check.runs",
        )
        widths = proposals(chosen)
        with st.form("new_check", border=False):
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                size = st.segmented_control(
                    "How sure?",
                    list(widths),
                    default=best_size(widths),
                    format_func=lambda number: size_words(number, widths[number]),
                    key=f"new_check.size.{'.'.join(map(str, widths))}",
                    help=_SIZE_HELP,
                    width="content",
                )
                default = default_title([runs[run_id] for run_id in chosen])
                title = st.text_input("Name", key="new_check.name", max_chars=_MOST_TITLE, placeholder=default)
                is_started = st.form_submit_button("Start", key="new_check.draw", type="primary", disabled=not widths)
            with st.expander("More"):
                left, middle, right = st.columns([2, 2, 1])
                design = left.selectbox(
                    "Draw",
                    list(_DESIGN_WORDS),
                    format_func=_DESIGN_WORDS.__getitem__,
                    key="new_check.design",
                    help=_DESIGN_HELP,
                )
                with middle:
                    reviewers = choose_reviewers("Reviewers (empty: open to all)", key="new_check.reviewers")
                people = right.number_input("Labels for each claim", 1, 20, value=1, key="new_check.people")
                is_blind = st.toggle("Blind", value=True, key="new_check.blind", help=_BLIND_HELP)
    if (
        not is_started
        or size is None
        or not service_calls.allow(identity.why_cannot_label(name) or why_unknown(reviewers))
    ):
        return
    order = DrawOrder(
        name=title.strip() or default,
        run_ids=chosen,
        size=size,
        design=design,
        is_blind=is_blind,
        reviewers_per_item=people,
    )
    try:
        check = draw(opened_store.store(), order, created_by=name)
        if reviewers:
            assign_check(opened_store.store(), check, reviewers, assigned_by=name)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return
    go(check=str(check))
    st.rerun()


def proposals(run_ids: Sequence[str]) -> dict[int, float]:
    """Return the numbers of labels to choose from, each with half the width of the interval that it gives.

    Round numbers, and as many as ±0.05 takes.
    """
    if not run_ids:
        return {}
    store = opened_store.store()
    try:
        precise = min(labels_for(store, run_ids, _HALF_WIDTH), _MOST_LABELS)
        sizes = [*(size for size in _ROUND_SIZES if size < precise), precise]
        return {size: half_width_for(store, run_ids, size) for size in sizes}
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return {}


def best_size(widths: Mapping[int, float]) -> int | None:
    """Return the fewest labels that are enough to show a corrected score, or the most proposed."""
    enough = (size for size, width in widths.items() if width <= HEADLINE_HALF_WIDTH)
    return next(enough, max(widths, default=None))


def size_words(labels: int, width: float) -> str:
    """Write a proposal: "20 labels (±0.15)", "12 labels (exact)" for every claim."""
    return f"{fmt.plural(labels, 'label')} ({'exact' if width == 0 else fmt.plus_minus(width)})"


def default_title(runs: Sequence[Run]) -> str:
    """Write what is drawn and when: "Spot-check of 2026-w46, 24 Nov"."""
    what = runs[0].name.removeprefix(f"{runs[0].series} ") if len(runs) == 1 else fmt.plural(len(runs), "run")
    now = datetime.now(UTC)
    start, end = "Spot-check of ", f", {now.day} {now:%b}"
    return f"{start}{what[: _MOST_TITLE - len(start) - len(end)]}{end}"


# ---- the page


check = opened_check()
if check is not None:
    line = first_line(check.name)
    line.next_step.button("All spot-checks", icon=":material/arrow_back:", key="queue.leave", on_click=leave_check)
    label_claims(check, identity.ask_reviewer())
    st.stop()

tab = address.selected_tab(_TABS)
line = first_line("Review", tabs=_TABS)
series.say_all(line.what)
if not empty_state.has_runs():
    empty_state.no_runs("Here reviewers label claims, which shows how often the judge is right.")
    st.stop()
if tab == navigation.DISAGREEMENTS:
    settle_claims(identity.ask_reviewer())
    st.stop()

queues = list_queues(opened_store.store(), identity.current_reviewer())
open_checks([queue for queue in queues if not queue.is_done], identity.current_reviewer())
new_check()
if finished := [queue.check for queue in queues if queue.is_done]:
    st.header("Results", anchor=False)
    shows_all = len(finished) <= _MOST_RESULTS or st.toggle(f"Show all {fmt.count(len(finished))}", key="checks.older")
    results_table(finished if shows_all else finished[:_MOST_RESULTS])
elif not queues:
    st.caption("A spot-check is a random sample of claims that reviewers label. It corrects the judge's score.")
