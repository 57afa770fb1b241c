"""Trends: when did it change, and for which questions?"""

import streamlit as st

from faithview.ui.parts import empty_state
from faithview.ui.parts.trend.trend_data import TrendChoices, load_trend_data
from faithview.ui.parts.view_switch import ALL_VIEWS, view_switch
from faithview.ui.shell import address, identity
from faithview.ui.shell.shell_line import shell_line
from faithview.ui.trends.choices import choose_step, choose_zone
from faithview.ui.trends.events import events
from faithview.ui.trends.headline import draw_finding, draw_next_step, draw_score
from faithview.ui.trends.large_line import large_line, points_in_range
from faithview.ui.trends.panels import choose_panels, panels
from faithview.ui.trends.same_conclusion import same_conclusion
from faithview.ui.trends.worst_answers import worst_answers

identity.sidebar()
shell = shell_line("Trends")
if not empty_state.has_runs():
    empty_state.no_runs("This page will show when faithfulness changed, and for which questions.")
    st.stop()

if empty_state.is_one_at_a_time():
    empty_state.one_at_a_time("They have no trend.")
    st.stop()

with shell.view:
    view = view_switch(offered=ALL_VIEWS)
finding = st.container()
with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small"):
    step = choose_step()
    zone_name = choose_zone(step)
# By segment first, which the finding needs anyway: what stands above the panels is drawn before their choice, or the
# heading of the panels would stand in the chart's place until the chart is there.
chosen = TrendChoices(step=step, zone_name=zone_name, view=view)
loaded = load_trend_data(chosen)
with finding:
    draw_finding(shell, loaded, chosen)
draw_score(shell, loaded, view)
with shell.next_step:
    draw_next_step(loaded)
large_line(loaded, chosen)
if span := address.selected_range():
    worst_answers(points_in_range(loaded, span), span, view=loaded.view, zone=chosen.zone)
chosen, loaded = choose_panels(chosen, loaded)
panels(loaded, chosen)
same_conclusion(loaded)
events(loaded.all_events, zone=chosen.zone)
