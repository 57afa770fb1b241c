"""Before an update: what to check, and what the comparison of Changes shows beside it for a preflight."""

import pandas as pd
import streamlit as st

from faithview.documents.runs import RunEstimate
from faithview.domain.errors import FaithViewError
from faithview.domain.knowledge import DocumentChangeKind
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.services.comparison.changes import is_preflight
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.knowledge.preflight import (
    Plan,
    begin_preflight,
    estimate_preflight,
    list_preflights,
    list_runs_to_check,
    plan_preflight,
)
from faithview.services.results import cancel_run, delete_run, get_progress
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.store.knowledge import list_knowledge_bases
from faithview.ui import address, identity, navigation, opened_store, page_addresses, series, service_calls, session
from faithview.ui.changes.new_version import NewVersion, choose_new_version
from faithview.ui.widgets.first_line import name_runs
from faithview.ui.widgets.judge_choice import choose_judge, estimate_line
from faithview.ui.widgets.verdict_table import opened
from faithview.wording import numbers as fmt
from faithview.wording import preflight as words
from faithview.wording.knowledge import document_counts
from faithview.wording.runs import progress_line

_MOST_LISTED = 100
_OWN, _ANOTHER = "own", "another"
# Until a worker that was asked to stop has ended.
_END_S = 15.0
_CACHED_PLANS = 4


def draw() -> None:
    """Draw the choice of what to check, and below it the earlier preflights of the series in view."""
    st.markdown(
        "**Which claims would a new version of the knowledge base break?** The answers of a run are checked against it "
        "before you publish it. Answers whose chunks stay the same cost nothing.",
        help=words.ASSUMPTION,
    )
    refusal = identity.why_cannot_run()
    if refusal is not None:
        st.info(refusal, icon=":material/lock:")
    else:
        _choose()
    _earlier()


def _choose() -> None:
    store = opened_store.store()
    runs = list_runs_to_check(store, series=series.in_view())
    if not runs:
        st.markdown(_NO_RUN if list_knowledge_bases(store.db) else _NO_VERSION)
        return
    known, names = {run.run_id: run for run in runs}, name_runs(runs)
    chosen = st.selectbox(
        "Answers of",
        list(known),
        format_func=lambda run_id: f"{names[run_id]} · {known[run_id].kb_version}",
        key="before.run",
        width=460,
        help="Complete runs whose version of the knowledge base is stored.",
    )
    run = known[str(chosen)]
    new = choose_new_version(run.kb_version)
    if new is None:
        return
    judge, is_chosen = _choose_judge(run)
    if not is_chosen:
        return
    try:
        versions = f"{run.run_id} {run.revision} {new.texts_hash} {new.name}"
        plan, cost = _plan(opened_store.store_key(), versions, judge, run, new)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    if not plan.documents.changed:
        st.markdown(
            f"**{fmt.literal(new.name)}** has the same documents as {fmt.literal(plan.kb_version)}, so there is "
            "nothing to check. Choose the changed files."
        )
        return
    _begin(plan, cost)


def _choose_judge(run: Run) -> tuple[JudgeSpec | None, bool]:
    """Return the judge, None for the run's own, and whether one is chosen."""
    labels = {_OWN: f"The run's judge, {run.judge.name}", _ANOTHER: "Another judge"}
    is_another = session.widget_value("before.who") == _ANOTHER
    with st.expander("Judge", icon=":material/gavel:", expanded=is_another, width="stretch" if is_another else 460):
        chosen = st.segmented_control(
            "Who judges again",
            list(labels),
            default=_OWN,
            format_func=lambda who: fmt.literal(labels[who]),
            required=True,
            key="before.who",
            label_visibility="collapsed",
            help="Another judge judges the answers with both versions, so only the texts differ.",
        )
        if chosen != _ANOTHER:
            return None, True
        choice = choose_judge("before", takes_prompt=False, has_companions=False)
    return choice.spec, choice.spec is not None


@st.cache_resource(max_entries=_CACHED_PLANS, ttl=600, show_spinner="Comparing the two versions")
def _plan(store: str, versions: str, judge: JudgeSpec | None, _run: Run, _new: NewVersion) -> tuple[Plan, RunEstimate]:
    opened = opened_store.store()
    plan = plan_preflight(opened, _run.run_id, _new.chunks, judge=judge, new_version=_new.name)
    return plan, estimate_preflight(opened, plan)


def _begin(plan: Plan, cost: RunEstimate) -> None:
    """Draw what the new version changes and what checking it takes, and the button that begins."""
    counts = {kind.value: len(plan.documents.of_kind(kind)) for kind in DocumentChangeKind}
    changes = document_counts(**counts, unchanged=plan.documents.unchanged)
    st.markdown(f"**{changes[0].upper()}{changes[1:]}** against {fmt.literal(plan.kb_version)}.")
    for note in words.caution_words(
        plan.kb_version,
        foreign=plan.chunks.foreign,
        removed=counts["removed"],
        others=plan.documents.after,
        is_complete=plan.documents.is_complete,
    ):
        st.info(fmt.literal(note), icon=":material/info:")
    if not plan.rows:
        st.markdown(f"**{words.UNAFFECTED}**")
        return
    limits, is_agreed = _ask_model(cost)
    if st.button(
        "Check the claims", type="primary", icon=":material/fact_check:", key="before.start", disabled=not is_agreed
    ) and service_calls.allow(identity.why_cannot_run()):
        try:
            pair = begin_preflight(opened_store.store(), plan)
        except FaithViewError as error:
            st.error(fmt.literal(str(error)), icon=":material/error:")
            return
        if pair is not None:
            if pair[1].status is not RunStatus.COMPLETE:
                opened_store.workers().start(pair[1].run_id, limits=limits)
            st.switch_page(navigation.CHANGES, query_params=address.pair_link(pair[0].run_id, pair[1].run_id))


def _ask_model(cost: RunEstimate) -> tuple[Limits, bool]:
    """Draw what judging takes; return the limits, and whether it may begin: texts leave this machine only if agreed."""
    judged = f"{fmt.plural(cost.answers, 'answer')} will be judged again by the judge {fmt.literal(cost.judge)}"
    if cost.host is None:
        st.caption(f"{judged}. No text leaves this machine.")
        return NO_LIMITS, True
    st.markdown(
        f"{judged}: questions, answers and chunks are sent to **{fmt.literal(cost.host)}**. {estimate_line(cost)}."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        calls = st.number_input(
            "Maximum calls", 1, None, None, key="before.max_calls", placeholder="No limit", width=190
        )
        most = st.number_input(
            "Maximum cost in dollars", 0.0, None, None, 0.1, key="before.max_cost", placeholder="No limit", width=190
        )
    is_agreed = st.checkbox(f"Send them to {fmt.literal(cost.host)}", key=f"before.agreed.{cost.host}")
    return Limits(max_calls=calls, max_cost=most), is_agreed


def _earlier() -> None:
    """Draw the earlier preflights of the series in view; a click opens the comparison of one."""
    listed = list_preflights(opened_store.store(), series=series.in_view())[:_MOST_LISTED]
    if not listed:
        return
    st.header("Earlier preflights", anchor=False)
    rows = [
        {
            "versions": f"{before.kb_version} → {after.kb_version}",
            "run": after.name,
            "state": fmt.STATUS_WORDS[after.status],
            "made": fmt.day_and_time(after.created_at),
        }
        for before, after in listed
    ]
    text = st.column_config.TextColumn
    event = st.dataframe(
        pd.DataFrame(rows),
        key="before.earlier",
        height=36 + 35 * min(len(listed), 8),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "versions": text("Versions", width=260),
            "run": text("Run", width=300),
            "state": text("State", width=110),
            "made": text("Made", width=170),
        },
        alt="Earlier preflights, the newest first. Click one to open it.",
    )
    number = opened(event, len(listed))
    if number is not None:
        before, after = listed[number]
        st.switch_page(navigation.CHANGES, query_params=address.pair_link(before.run_id, after.run_id))


def preflight_line(comparison: Comparison) -> None:
    """Draw what a preflight found, with its progress; nothing for two other runs."""
    before, after = comparison.baseline, comparison.candidate
    if not is_preflight(before, after):
        return
    service_calls.show_message("before")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f":material/fact_check: **{words.finding_words(comparison.causes)}** A preflight of "
            f"{fmt.literal(after.kb_version or '')}: the answers that it affects, with the chunks of "
            f"{fmt.literal(before.kb_version or '')} and with its own.",
            help=words.ASSUMPTION,
            width="content",
        )
        st.page_link(navigation.CHANGES, label="All preflights", query_params=address.tab_link(navigation.BEFORE))
        if identity.why_cannot_delete() is None:
            with st.popover("Delete", icon=":material/delete:", type="tertiary", key="before.delete"):
                st.markdown("The two runs of the preflight are deleted. The run that it checked stays.")
                st.button("Delete the preflight", key="before.delete.yes", on_click=_delete, args=(before,))
    is_under_way = RunStatus.RUNNING in (before.status, after.status) or opened_store.workers().is_working(after.run_id)
    if after.status is not RunStatus.COMPLETE:
        st.fragment(_progress, run_every=1.0 if is_under_way else None)(before, after, is_under_way)


def _delete(before: Run) -> None:
    if service_calls.write(
        lambda: delete_run(opened_store.store(), before.run_id), place="before", refusal=identity.why_cannot_delete()
    ):
        page_addresses.forget_pair()
        st.query_params.from_dict(address.tab_link(navigation.BEFORE))


@opened_store.explaining()
def _progress(before: Run, after: Run, was_under_way: bool) -> None:
    store, workers = opened_store.store(), opened_store.workers()
    # If another judge judges, it judges the answers with their own chunks first.
    sides = [get_progress(store, run.run_id) for run in (before, after)]
    shown = next((one for one in sides if one.status is not RunStatus.COMPLETE), sides[-1])
    error = workers.find_error(after.run_id)
    is_working = workers.is_working(after.run_id)
    if was_under_way and not is_working and RunStatus.RUNNING not in (sides[0].status, sides[1].status):
        st.rerun()
    st.progress(shown.done / shown.total if shown.total else 0.0, text=progress_line(shown))
    if error or shown.error:
        st.error(fmt.literal(error or shown.error or ""), icon=":material/error:")
    if is_working:
        if st.button("Cancel", icon=":material/stop:", key="before.cancel") and service_calls.allow(
            identity.why_cannot_run()
        ):
            cancel_run(store, (before if shown is sides[0] else after).run_id)
    elif (
        not was_under_way
        and st.button("Continue", icon=":material/play_arrow:", key="before.continue", type="primary")
        and service_calls.allow(identity.why_cannot_run())
    ):
        workers.start(after.run_id, ending_seconds=_END_S)
        st.rerun()


_NO_VERSION = (
    "No version of the knowledge base is stored yet. Store the one that your answers were made with "
    "(`faithview kb add VERSION FILE`), and judge them with `faithview evaluate FILE --kb-version VERSION`."
)
_NO_RUN = (
    "No complete run of this series used a stored version. Judge answers with `faithview evaluate FILE --kb-version "
    "VERSION`, or give the version under *Upload*."
)
