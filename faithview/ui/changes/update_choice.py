"""What to check before an update: the run, the new version and the judge; and the earlier preflights."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.documents.runs import RunEstimate
from faithview.domain.answer import View
from faithview.domain.errors import FaithViewError
from faithview.domain.preflight import Outcome, OutcomeCounts, PreflightRecord
from faithview.domain.run import JudgeSpec, Run
from faithview.services.knowledge.preflight.plan import Plan, list_runs_to_check, make_plan
from faithview.services.knowledge.preflight.preflights import (
    estimate_plan,
    get_preflight,
    get_progress,
    list_preflights,
    save_plan,
)
from faithview.services.knowledge.versions import check_version
from faithview.services.results import list_runs
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.store.knowledge import list_knowledge_bases
from faithview.ui import identity, opened_store, page_addresses, series, service_calls, session
from faithview.ui.changes.new_version import NewVersion, choose_new_version
from faithview.ui.widgets.first_line import name_runs
from faithview.ui.widgets.judge_choice import choose_judge, estimate_line
from faithview.ui.widgets.verdict_table import opened
from faithview.wording import numbers as fmt
from faithview.wording import preflight as words

_MOST_LISTED = 100
# Those whose claims are counted for the list; the others show only what was checked.
_COUNTED = 10
_OWN, _ANOTHER = "own", "another"
_CACHED_PLANS = 4


def draw_choice() -> None:
    """Draw the choice of what to check, and below it the earlier preflights."""
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
        _no_run()
        return
    run = _choose_run(runs)
    new = choose_new_version(run.kb_version)
    if new is None:
        return
    judge, is_chosen = _choose_judge(run)
    if not is_chosen:
        return
    plan = _load_plan(run, new, judge)
    if plan is not None:
        _begin(run, new, plan)


def _no_run() -> None:
    """Say what is missing, in one sentence that says what to do."""
    store = opened_store.store()
    if not list_knowledge_bases(store.db):
        st.markdown(
            "No version of the knowledge base is stored yet. Store the one that your answers were made with "
            "(`faithview kb add VERSION FILE`), and judge them with `faithview evaluate FILE --kb-version VERSION`."
        )
        return
    st.markdown(
        "No complete run of this series used a stored version. Judge answers with `faithview evaluate FILE "
        "--kb-version VERSION`, or give the version under *Upload*."
    )


def _choose_run(runs: Sequence[Run]) -> Run:
    known = {run.run_id: run for run in runs}
    names = name_runs(runs)
    chosen = st.selectbox(
        "Answers of",
        list(known),
        format_func=lambda run_id: f"{names[run_id]} · {known[run_id].kb_version}",
        key="before.run",
        width=460,
        help="Complete runs whose version of the knowledge base is stored.",
    )
    return known[str(chosen)]


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


def _load_plan(run: Run, new: NewVersion, judge: JudgeSpec | None) -> Plan | None:
    try:
        return _plan(
            opened_store.store_key(), f"{run.run_id} {run.revision}", new.texts_hash, new.name, judge, run, new
        )
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return None


@st.cache_resource(max_entries=_CACHED_PLANS, ttl=600, show_spinner="Comparing the two versions")
def _plan(
    store: str, answers: str, texts_hash: str, source: str, judge: JudgeSpec | None, _run: Run, _new: NewVersion
) -> Plan:
    return make_plan(
        opened_store.store(), _run.run_id, _new.chunks, judge=judge, new_version=_new.stored, source=_new.name
    )


def _begin(run: Run, new: NewVersion, plan: Plan) -> None:
    """Draw what the new version changes and what checking it takes, and the button that begins."""
    record = plan.record
    if not record.documents:
        st.markdown(
            f"**{fmt.literal(new.name)}** has the same documents as {fmt.literal(record.kb_version)}, so there is "
            "nothing to check. Choose the changed files."
        )
        return
    changes = words.changes_words(record)
    st.markdown(f"**{changes[0].upper()}{changes[1:]}** against {fmt.literal(record.kb_version)}.")
    for note in (words.unplaced_words(record), "" if record.counts.is_complete else words.INCOMPLETE):
        if note:
            st.info(fmt.literal(note), icon=":material/info:")
    name = None
    if new.stored is None:
        name = st.text_input(
            "Name of the new version", key="before.name", placeholder="Optional", max_chars=200, width=460, help=_NAME
        )
    cost = _estimate(plan)
    if cost is None:
        return
    limits, is_agreed = _ask_model(cost)
    if st.button(
        "Check the claims", type="primary", icon=":material/fact_check:", key="before.start", disabled=not is_agreed
    ) and service_calls.allow(identity.why_cannot_run()):
        _start(plan, (name or "").strip() or new.stored, limits)


def _estimate(plan: Plan) -> RunEstimate | None:
    try:
        mark = f"{plan.record.run_id} {plan.record.content_hash} {plan.record.fingerprint}"
        return _cached_estimate(opened_store.store_key(), mark, plan)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return None


# Short-lived: answers may be judged meanwhile.
@st.cache_data(max_entries=_CACHED_PLANS, ttl=30, show_spinner="Estimating")
def _cached_estimate(store: str, preflight: str, _plan: Plan) -> RunEstimate:
    return estimate_plan(opened_store.store(), _plan)


def _ask_model(cost: RunEstimate) -> tuple[Limits, bool]:
    """Draw what judging takes; return the limits, and whether it may begin: texts leave this machine only if agreed."""
    judged = fmt.plural(cost.answers, "answer")
    if cost.host is None or not cost.answers:
        st.caption(
            f"{judged} will be judged again by the judge {fmt.literal(cost.judge)}. No text leaves this machine."
            if cost.answers
            else "No answer has to be judged for this."
        )
        return NO_LIMITS, True
    st.markdown(
        f"{judged} will be judged again by the judge {fmt.literal(cost.judge)}: questions, answers and chunks are sent "
        f"to **{fmt.literal(cost.host)}**. {estimate_line(cost)}."
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


def _start(plan: Plan, name: str | None, limits: Limits) -> None:
    """Store the preflight, start judging it, and show it; an equal one that is stored continues."""
    store = opened_store.store()
    try:
        if name is not None:
            check_version(name)
        record = save_plan(store, replace(plan, record=replace(plan.record, new_version=name)))
        if record.finished_at is None:
            opened_store.workers().start_preflight(record.preflight_id, limits=limits)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    page_addresses.open_preflight(record.preflight_id)
    st.rerun()


def _earlier() -> None:
    """Draw the earlier preflights of the series in view; a click opens one."""
    store = opened_store.store()
    runs = {run.run_id: run for run in list_runs(store, series=series.in_view(), archived=None)}
    listed = [record for record in list_preflights(store) if record.run_id in runs][:_MOST_LISTED]
    if not listed:
        return
    st.header("Earlier preflights", anchor=False)
    event = st.dataframe(
        pd.DataFrame([_row(record, runs[record.run_id], at) for at, record in enumerate(listed)]),
        key=f"before.earlier.{listed[0].preflight_id}.{len(listed)}.{session.PREFLIGHT_TURN.get()}",
        height=36 + 35 * min(len(listed), 8),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config=_columns(),
        alt="Earlier preflights, the newest first. Click one to open it.",
    )
    number = opened(event, len(listed))
    if number is not None:
        session.PREFLIGHT_TURN.set(session.PREFLIGHT_TURN.get() + 1)
        page_addresses.open_preflight(listed[number].preflight_id)
        st.rerun()


def _row(record: PreflightRecord, run: Run, at: int) -> dict[str, object]:
    counts = _counts(record, run) if at < _COUNTED and record.finished_at is not None else None
    progress = None if record.finished_at is not None else get_progress(opened_store.store(), record.preflight_id)
    return {
        "versions": words.versions_words(record, arrow="→"),
        "run": run.name,
        "broken": None if counts is None else counts.broken,
        "overtaken": None if counts is None else counts.overtaken,
        "fixed": None if counts is None else counts.fixed,
        "state": fmt.day_and_time(record.created_at)
        if progress is None
        else f"{fmt.count(progress.done)} of {fmt.count(progress.total)} answers judged",
    }


def _counts(record: PreflightRecord, run: Run) -> OutcomeCounts:
    store = opened_store.store()
    return store.cache.get(
        "outcomes of a preflight",
        record.preflight_id,
        (record.finished_at, run.revision),
        lambda: get_preflight(store, record.preflight_id, view=View.JUDGE).counts,
    )


def _columns() -> Mapping[str, ColumnConfig]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "versions": text("New version", width=280),
        "run": text("Checked on", width=220),
        "broken": number("Would break", width=96, help=words.OUTCOME_RULES[Outcome.BROKEN]),
        "overtaken": number("Overtaken", width=84, help=words.OUTCOME_RULES[Outcome.OVERTAKEN]),
        "fixed": number("Would be fixed", width=108, help=words.OUTCOME_RULES[Outcome.FIXED]),
        "state": text("Made", width=190),
    }


def back_button() -> None:
    """Draw the button to the choice of another new version."""
    st.button(
        "All preflights",
        icon=":material/arrow_back:",
        type="tertiary",
        key="before.all",
        on_click=page_addresses.open_preflight,
        args=(None,),
    )


_NAME = "The name that it will be stored under."
