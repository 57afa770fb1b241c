"""The head of the trends page: the finding, notes on how to read the lines, and the next step."""

import streamlit as st

from faithview.ui.parts.trend_data import TrendChoices, TrendData
from faithview.ui.shell import nav
from faithview.ui.trends import findings


def draw_finding(loaded: TrendData, chosen: TrendChoices) -> None:
    """Draw the finding, and notes where a view has no line or several judges have one each."""
    text = findings.trend_finding(loaded.finding, step=chosen.step, zone=chosen.zone, process=loaded.process)
    st.markdown(f"This series has one run. {text}" if _has_one_run(loaded) else text)
    for note in (findings.view_gap(loaded.whole, chosen.view), findings.judges_note(loaded.lines())):
        if note is not None:
            st.info(note, icon=":material/info:")


def draw_next_step(loaded: TrendData) -> None:
    """Draw the button that compares the runs around the change that the finding names, or that makes a second run."""
    if _has_one_run(loaded):
        if st.button("Upload a later run", icon=":material/upload_file:", key="trends.upload"):
            st.switch_page(nav.UPLOAD)
        return
    change = loaded.finding.level_change
    if change is not None and st.button(
        "Compare before and after", type="primary", icon=":material/compare_arrows:", key="trends.compare"
    ):
        query = {"baseline": change.baseline_id, "candidate": change.candidate_id}
        st.switch_page(nav.COMPARE, query_params=query)


def _has_one_run(loaded: TrendData) -> bool:
    runs = {run_id for line in loaded.whole.lines for point in line.points for run_id in point.run_ids}
    return len(runs) == 1
