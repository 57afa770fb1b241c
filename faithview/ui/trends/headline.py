"""The head of the trends page: the finding, notes on how to read the lines, and the next step."""

import streamlit as st

from faithview.ui.parts.trend_data import TrendChoices, TrendData
from faithview.ui.shell import nav
from faithview.ui.trends import findings


def draw_finding(loaded: TrendData, chosen: TrendChoices) -> None:
    """Draw the finding, and notes where a view has no line or several judges have one each."""
    st.markdown(findings.trend_finding(loaded.finding, step=chosen.step, zone=chosen.zone, process=loaded.process))
    for note in (findings.view_gap(loaded.whole, chosen.view), findings.judges_note(loaded.lines())):
        if note is not None:
            st.info(note, icon=":material/info:")


def draw_next_step(loaded: TrendData) -> None:
    """Draw the button that compares the runs before and after the change that the finding names."""
    change = loaded.finding.level_change
    if change is not None and st.button(
        "Compare before and after", type="primary", icon=":material/compare_arrows:", key="trends.compare"
    ):
        query = {"baseline": change.baseline_id, "candidate": change.candidate_id}
        st.switch_page(nav.COMPARE, query_params=query)
