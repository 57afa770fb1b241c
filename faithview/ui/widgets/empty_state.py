"""A page before there is data: what the page will show, and the buttons to get there."""

import streamlit as st

from faithview.domain.run import RunStatus
from faithview.domain.series import CHECKED_ANSWERS, has_trend
from faithview.services.demo import load_sample
from faithview.services.results import list_runs
from faithview.store.runs import count_runs
from faithview.ui import address, identity, navigation, opened_store, series, service_calls
from faithview.wording import numbers as fmt

_OFFERED_SERIES = 3
_UNDER_WAY = (RunStatus.RUNNING, RunStatus.PENDING)


def has_runs() -> bool:
    """Return whether there is any run to show."""
    return count_runs(opened_store.store().db) > 0


def no_runs(what: str) -> None:
    """Explain what the page will show once there is a run, and lead to the pages that make one."""
    st.markdown(f"There are no runs yet. {what}")
    with st.container(horizontal=True):
        if st.button("Upload answers", type="primary", icon=":material/upload_file:", key="empty.upload"):
            st.switch_page(navigation.UPLOAD)
        if st.button("Check one answer", icon=":material/fact_check:", key="empty.check"):
            st.switch_page(navigation.TRY)
        wants_sample = st.button("Load the sample", icon=":material/school:", key="empty.sample", help=_SAMPLE_HELP)
    if wants_sample:
        _load_sample()


def is_one_at_a_time() -> bool:
    """Return whether the series in view holds answers that were checked one at a time: no trend and no comparison."""
    in_view = series.in_view()
    return in_view is not None and not has_trend(in_view)


def one_at_a_time(what: str) -> None:
    """Explain what the page does not show of answers that were checked one at a time, and lead to other series."""
    st.markdown(f"*{CHECKED_ANSWERS}* are saved one at a time. {what}")
    _lead_to_other_runs()


def no_pair(what: str) -> None:
    """Explain why no two runs of the series in view can be compared, and link to what helps.

    Args:
        what: what the page will do with two runs: "this page will say …".
    """
    if is_one_at_a_time():
        one_at_a_time("They are not compared with each other.")
        return
    runs = count_runs(opened_store.store().db, series=series.in_view())
    under_way = [run for run in list_runs(opened_store.store(), series=series.in_view()) if run.status in _UNDER_WAY]
    if runs > 1 and under_way:
        st.markdown(f"*{fmt.literal(under_way[0].name)}* is still being judged. When it is complete, {what}")
        if st.button("Watch it", type="primary", icon=":material/hourglass_top:", key="empty.watch"):
            st.switch_page(navigation.UPLOAD, query_params=address.link(under_way[0].run_id))
        return
    if runs == 1:
        st.markdown(f"This series has one run. With a second one over the same questions, {what}")
    elif runs:
        st.markdown(
            "No two complete runs of this series have at least half of their questions in common. With two such runs, "
            f"{what}"
        )
    else:
        no_runs(f"With two runs over the same questions, {what}")
        return
    _lead_to_other_runs()


def _load_sample() -> None:
    """Load the sample while the page waits, telling each step."""
    if not service_calls.allow(identity.why_cannot_run()):
        return
    with st.status("Loading the sample", expanded=True) as status:
        load_sample(opened_store.store(), on_step=lambda step: status.markdown(f":small[{fmt.literal(step)}]"))
    st.rerun()


def _lead_to_other_runs() -> None:
    """Draw the button that makes a run, and one for each other series, that with the newest answers first."""
    with st.container(horizontal=True):
        if st.button("Upload answers", type="primary", icon=":material/upload_file:", key="empty.upload"):
            st.switch_page(navigation.UPLOAD)
        for other in series.others_with_trend()[:_OFFERED_SERIES]:
            st.button(
                f"Show {fmt.literal(other.name)}",
                icon=":material/stacks:",
                key=f"empty.series.{other.name}",
                on_click=series.show,
                args=(other.name,),
            )


_SAMPLE_HELP = (
    "Runs of an invented help centre with reviewers' labels. They are judged on this machine and become a separate "
    "series in this store."
)
