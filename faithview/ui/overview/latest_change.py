"""What happened last: the sentence on the last change that is more than chance, and the pages that explain it."""

from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.buckets import Step
from faithview.services.changes.level_changes import LevelChange
from faithview.ui.parts.trend.event_links import knowledge_button
from faithview.ui.parts.trend.trend_data import TrendData
from faithview.ui.parts.trend.trend_finding import trend_finding
from faithview.ui.shell import address, nav
from faithview.wording.views import VIEW_WORDS

_UTC = ZoneInfo("UTC")


def latest_change(trend: TrendData) -> None:
    """Draw the trend's last change and the button that compares the runs around it; nothing where none is known."""
    change = trend.finding.level_change
    if change is None:
        return
    st.header(f"Last change, {VIEW_WORDS[trend.view]}", anchor=False, help=_HELP)
    st.markdown(trend_finding(trend.finding, step=Step.RUN, zone=_UTC, process=trend.process))
    with st.container(horizontal=True):
        if st.button("Compare before and after", icon=":material/compare_arrows:", key="overview.compare"):
            open_comparison(change)
        if change.step.delta < 0 and st.button(
            "See weak spots", icon=":material/troubleshoot:", key="overview.change.slices"
        ):
            st.switch_page(nav.SLICES, query_params=address.link(change.candidate_id))
        knowledge_button(change.event, key="overview.documents")


def open_comparison(change: LevelChange) -> None:
    """Open the comparison of the last run before a change with the first one after it."""
    query = {"baseline": change.baseline_id, "candidate": change.candidate_id}
    st.switch_page(nav.COMPARE, query_params=query)


_HELP = (
    "The last fall between two runs that is more than chance, or the last rise where there is no fall, with the event "
    "before it, the segments that explain it, and whether it recovered. The scores are means over all answers of a "
    "run; *Compare* uses the answers that both runs have, so its two scores can differ. p-values are adjusted over all "
    "steps (Holm 1979)."
)
