"""Trends: when did it change, and for whom?"""

import streamlit as st

from faithview.ui.parts import empty_state, sensitivity
from faithview.ui.parts.view_switch import ALL_VIEWS, view_switch
from faithview.ui.shell import address, identity
from faithview.ui.trends import events, trend_line, worst_answers

identity.sidebar()
title, switch = st.columns([3, 1], vertical_alignment="bottom")
title.title("Trends", anchor=False)
if not empty_state.has_runs():
    empty_state.no_runs("This page will show when faithfulness changed, and for which questions.")
    st.stop()

with switch:
    view = view_switch(offered=ALL_VIEWS)
finding = st.container()
next_step, points = st.columns([1, 3], vertical_alignment="center")
line, heading = st.container(), st.container()
with points:
    step, zone = trend_line.choose_points()
with heading:
    grouping = trend_line.choose_grouping()
chosen = trend_line.Choices(step=step, zone=zone, grouping=grouping, view=view)
loaded = trend_line.load(chosen)
with finding:
    trend_line.finding(loaded, chosen)
with next_step:
    trend_line.next_step(loaded)
with line:
    trend_line.large_line(loaded, chosen)
    if span := address.selected_range():
        found = trend_line.points_in_range(loaded, span)
        worst_answers.worst_answers(found, span, view=loaded.view, zone=chosen.clock)
trend_line.panels(loaded, chosen)
sensitivity.same_conclusion(trend_line.newest_runs(loaded), view=loaded.view, key="trends")
events.events(loaded.all_events, zone=chosen.clock)
