"""Trends: when did it change, and for which questions?"""

import streamlit as st

from faithview.domain.answer import View
from faithview.ui import address, page_setup
from faithview.ui.trends import (
    choose_panels,
    choose_step,
    choose_zone,
    draw_finding,
    draw_next_step,
    draw_score,
    events,
    large_line,
    panels,
    points_in_range,
    worst_answers,
)
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import first_line, view_switch
from faithview.ui.widgets.trend_finding import TrendChoices, load_trend_data

page_setup.require_app()

line = first_line("Trends")
if not empty_state.has_runs():
    empty_state.no_runs("This page will show when faithfulness changed, and for which questions.")
    st.stop()

if empty_state.is_one_at_a_time():
    empty_state.one_at_a_time("They have no trend.")
    st.stop()

with line.view:
    view = view_switch(offered=(View.JUDGE, View.CORRECTED))
finding = st.container()
with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small"):
    step = choose_step()
    zone_name = choose_zone(step)
# By segment first, which the finding needs anyway: what stands above the panels is drawn before their choice, or the
# heading of the panels would stand in the chart's place until the chart is there.
chosen = TrendChoices(step=step, zone_name=zone_name, view=view)
loaded = load_trend_data(chosen)
with finding:
    draw_finding(loaded, chosen)
draw_score(line, loaded, view)
with line.next_step:
    draw_next_step(loaded)
large_line(loaded, chosen)
if span := address.selected_range():
    worst_answers(points_in_range(loaded, span), span, zone=chosen.zone)
chosen, loaded = choose_panels(chosen, loaded)
panels(loaded, chosen)
events(loaded.all_events, zone=chosen.zone)
