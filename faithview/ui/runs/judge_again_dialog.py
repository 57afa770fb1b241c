"""The dialog that judges a run's answers with another judge; it says first what leaves the machine."""

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import JudgeSpec, Run
from faithview.services.results.runs import get_run
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.services.runs.estimate import RunEstimate, estimate_run
from faithview.services.runs.judge_again import judge_again, load_samples
from faithview.ui.parts.judge_choice import choose_judge, estimate_line
from faithview.ui.shell import address, app, identity, nav, write
from faithview.wording import numbers as fmt


@st.dialog("Judge again", width="large")
def judge_again_dialog(run: Run) -> None:
    """Draw the choice of a judge with what it takes, and start the new run; the page then shows its progress."""
    st.markdown(
        f"The answers of **{fmt.literal(run.name)}** are judged in a run of their own, in the same series. This run "
        "stays as it is."
    )
    choice = choose_judge("again", takes_prompt=False)
    limits = NO_LIMITS
    if choice.spec is not None and choice.offer.host is not None:
        try:
            st.markdown(estimate_line(_estimate(run.run_id, run.revision, choice.spec)))
        except FaithViewError as error:
            st.error(fmt.literal(str(error)), icon=":material/error:")
            return
        cost = st.number_input(
            "Most dollars", 0.0, None, None, 0.1, key="again.max_cost", placeholder="No limit", width=190
        )
        limits = Limits(max_cost=cost)
    name = st.text_input(
        "Name", key="again.name", placeholder=f"{run.name} ({choice.spec.name if choice.spec else '…'})"
    )
    if (
        st.button(
            "Judge the answers again",
            type="primary",
            icon=":material/play_arrow:",
            key="again.start",
            disabled=choice.spec is None,
        )
        and choice.spec is not None
        and write.allow(identity.why_cannot_run())
    ):
        try:
            started = judge_again(app.services(), run, choice.spec, name=name.strip() or None, limits=limits)
        except FaithViewError as error:
            st.error(fmt.literal(str(error)), icon=":material/error:")
            return
        app.workers().start(started.run_id, limits=limits)
        st.switch_page(nav.UPLOAD, query_params=address.link(started.run_id))


# Short-lived: a run may add verdicts to the store meanwhile.
@st.cache_data(max_entries=20, ttl=30, show_spinner="Estimating")
def _estimate(run_id: str, revision: int, judge: JudgeSpec) -> RunEstimate:
    services = app.services()
    return estimate_run(load_samples(services, get_run(services, run_id)), judge, store=services)
