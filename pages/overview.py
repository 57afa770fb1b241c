"""Overview: how good are the newest answers, what is wrong with them, and what is left to do?"""

import streamlit as st

from faithview.ui import page_setup, series
from faithview.ui.frontend.component_files import FRONTEND
from faithview.ui.overview import harmful_claim, last_changes, latest_score, run_table
from faithview.ui.overview.needs_you import is_clear, load_notices, needs_you
from faithview.ui.widgets import empty_state, notes
from faithview.ui.widgets.first_line import ALL_VIEWS, first_line, view_switch

page_setup.require_app()
st.html(FRONTEND / "overview.css")
line = first_line("Overview")
if not empty_state.has_runs():
    empty_state.no_runs("This page will show how faithful the newest answers are, and what to read first.")
    run_table.archived_runs(None)
    st.stop()

judged = run_table.load_latest_runs()
with line.view:
    view = view_switch(offered=ALL_VIEWS, default=latest_score.default_view(judged))
summaries = run_table.load_latest_runs(view, judged=judged)
trend = last_changes.load_latest_trend(view)
latest = latest_score.load_latest(summaries, view)
left, right = st.container(key="overview-top").columns([5, 8], gap="large")
with left:
    if latest is None:
        latest_score.draw_nothing(summaries, view)
    else:
        latest_score.draw_head(line, latest)
        latest_score.draw_score(latest)
with right:
    last_changes.trend_chart(trend, latest, view)
if latest is not None:
    harmful_claim.harmful_claim(latest)
notices = load_notices(summaries, trend)
left, right = st.container(key="overview-lists").columns(2, gap="large")
with left:
    needs_you(notices, is_all_clear=is_clear(summaries, notices))
    notes.note_feed()
with right:
    last_changes.what_changed(trend, latest, view)
with st.expander("All runs"):
    run_table.run_table(view)
run_table.archived_runs(series.in_view())
