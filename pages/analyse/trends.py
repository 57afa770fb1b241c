"""Trends: when did it change, and for whom?"""

import streamlit as st

from faithview.ui import reviewer, shell, state
from faithview.ui.components.view_switch import ALL_VIEWS, view_switch
from faithview.ui.sections import empty, events, sensitivity, trend_answers, trends

reviewer.sidebar()
title, switch = st.columns([3, 1], vertical_alignment="bottom")
title.title("Trends", anchor=False)
if not shell.services().count_runs():
    empty.no_runs("This page will show when faithfulness changed, and for which questions.")
    st.stop()

with switch:
    view = view_switch(offered=ALL_VIEWS)
finding = st.container()
next_step, points = st.columns([1, 3], vertical_alignment="center")
line, heading = st.container(), st.container()
with points:
    step, zone = trends.choose_points()
with heading:
    grouping = trends.choose_grouping()
chosen = trends.Choices(step=step, zone=zone, grouping=grouping, view=view)
loaded = trends.load(chosen)
with finding:
    trends.finding(loaded, chosen)
with next_step:
    trends.next_step(loaded)
with line:
    trends.large_line(loaded, chosen)
    if span := state.selected_range():
        found = trends.points_in_range(loaded, span)
        trend_answers.worst_answers(found, span, view=loaded.view, zone=chosen.clock)
trends.panels(loaded, chosen)
sensitivity.same_conclusion(trends.newest_runs(loaded), view=loaded.view, key="trends")
events.events(loaded.all_events, zone=chosen.clock)
