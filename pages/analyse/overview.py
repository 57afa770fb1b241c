"""Overview: is anything wrong now?"""

import streamlit as st

from faithview.ui.overview import run_table
from faithview.ui.parts import empty_state
from faithview.ui.parts.view_switch import ALL_VIEWS, view_switch

title, switch = st.columns([3, 1], vertical_alignment="bottom")
title.title("Overview", anchor=False)
with switch:
    view = view_switch(offered=ALL_VIEWS)
summaries = run_table.load_latest(view)
if not summaries:
    empty_state.no_runs("This page will say how faithful the latest answers are, and what needs attention.")
    st.stop()

news = run_table.load_news(view)
notices = run_table.load_notices(summaries, news)
run_table.finding(summaries, notices, view)
left, right = st.columns([5, 6], gap="large")
with left:
    run_table.attention(notices)
with right:
    run_table.trend(news, view)
run_table.runs_table(view, news)
