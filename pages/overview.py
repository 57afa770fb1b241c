"""Overview: is anything wrong now?"""

import streamlit as st

from faithview.ui import page_setup, series
from faithview.ui.overview import latest_score, run_table
from faithview.ui.overview.latest_score import latest_change, latest_trend, load_latest_trend, low_slices
from faithview.ui.overview.notices import attention, is_clear, load_notices
from faithview.ui.overview.run_table import load_latest_runs, runs_table
from faithview.ui.widgets import empty_state, notes
from faithview.ui.widgets.first_line import ALL_VIEWS, first_line, view_switch

page_setup.require_app()

line = first_line("Overview")
with line.view:
    view = view_switch(offered=ALL_VIEWS)
summaries = load_latest_runs(view)
if not summaries:
    empty_state.no_runs("This page will show how faithful the latest answers are, and what needs attention.")
    run_table.archived_runs(None)
    st.stop()

trend = load_latest_trend(view)
notices = load_notices(summaries, trend)
latest_score.draw_score(line, summaries, view)
latest_score.draw_finding(line, summaries, notices, view)
latest_score.draw_next_step(line, summaries, notices)
left, right = st.columns([5, 6], gap="large")
with left:
    attention(notices, is_all_clear=is_clear(summaries, notices))
    latest_change(trend)
    notes.note_feed()
with right:
    latest_trend(trend, view)
    low_slices(summaries, view)
runs_table(view, trend)
run_table.archived_runs(series.in_view())
