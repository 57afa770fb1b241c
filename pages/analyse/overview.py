"""Overview: is anything wrong now?"""

import streamlit as st

from faithview.ui.sections import empty, overview

st.title("Overview", anchor=False)
summaries = overview.load_latest()
if not summaries:
    empty.no_runs("This page will say how faithful the latest answers are, and what needs attention.")
    st.stop()

overview.finding(summaries)
left, right = st.columns([5, 6], gap="large")
with left:
    overview.attention(summaries)
with right:
    overview.trend(summaries)
overview.runs_table()
