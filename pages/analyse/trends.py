"""Trends: when did it change, and for whom?"""

import streamlit as st

from faithview.ui import reviewer, shell, state
from faithview.ui.components.view_switch import ALL_VIEWS, view_switch
from faithview.ui.sections import empty, events, trend_answers, trends

reviewer.sidebar()
title, switch = st.columns([3, 1], vertical_alignment="bottom")
title.title("Trends", anchor=False)
if not shell.services().count_runs():
    empty.no_runs("This page will show when faithfulness changed, and for which questions.")
    st.stop()

with switch:
    view = view_switch(offered=ALL_VIEWS)
finding = st.container()
step, controls = st.columns([1, 3], vertical_alignment="center")
with controls:
    chosen = trends.choices(view)
loaded = trends.load(chosen)
with finding:
    trends.finding(loaded, chosen)
with step:
    trends.next_step(loaded)
trends.large_line(loaded, chosen)
if span := state.selected_range():
    points = trends.points_in_range(loaded, span)
    trend_answers.worst_answers(points, span, view=loaded.view, zone=chosen.clock)
trends.panels(loaded, chosen)
events.events(loaded.all_events, zone=chosen.clock)
