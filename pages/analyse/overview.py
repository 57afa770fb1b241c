"""Overview: is anything wrong now?"""

import streamlit as st

from faithview.ui.overview.attention import attention, load_notices
from faithview.ui.overview.headline import draw_finding
from faithview.ui.overview.latest_trend import latest_trend, load_latest_trend
from faithview.ui.overview.run_table import load_latest_runs, runs_table
from faithview.ui.parts import empty_state
from faithview.ui.parts.view_switch import ALL_VIEWS, view_switch

title, switch = st.columns([3, 1], vertical_alignment="bottom")
title.title("Overview", anchor=False)
with switch:
    view = view_switch(offered=ALL_VIEWS)
summaries = load_latest_runs(view)
if not summaries:
    empty_state.no_runs("This page will show how faithful the latest answers are, and what needs attention.")
    st.stop()

trend = load_latest_trend(view)
notices = load_notices(summaries, trend)
draw_finding(summaries, notices, view)
left, right = st.columns([5, 6], gap="large")
with left:
    attention(notices)
with right:
    latest_trend(trend, view)
runs_table(view, trend)
