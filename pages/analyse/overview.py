"""Overview: is anything wrong now?"""

import streamlit as st

from faithview.ui.components.view_switch import ALL_VIEWS, view_switch
from faithview.ui.sections import empty, overview

title, switch = st.columns([3, 1], vertical_alignment="bottom")
title.title("Overview", anchor=False)
with switch:
    view = view_switch(offered=ALL_VIEWS)
summaries = overview.load_latest(view)
if not summaries:
    empty.no_runs("This page will say how faithful the latest answers are, and what needs attention.")
    st.stop()

news = overview.load_news(view)
notices = overview.load_notices(summaries, news)
overview.finding(summaries, notices, view)
left, right = st.columns([5, 6], gap="large")
with left:
    overview.attention(notices)
with right:
    overview.trend(news, view)
overview.runs_table(view, news)
