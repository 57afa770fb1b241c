"""Overview: is anything wrong now?"""

import streamlit as st

from faithview.ui.overview import headline
from faithview.ui.overview.attention import attention, is_clear, load_notices
from faithview.ui.overview.latest_change import latest_change
from faithview.ui.overview.latest_trend import latest_trend, load_latest_trend
from faithview.ui.overview.low_slices import low_slices
from faithview.ui.overview.run_table import load_latest_runs, runs_table
from faithview.ui.parts import empty_state
from faithview.ui.parts.teams import note_feed
from faithview.ui.parts.view_switch import ALL_VIEWS, view_switch
from faithview.ui.runs import archived_runs
from faithview.ui.shell import series
from faithview.ui.shell.shell_line import shell_line

line = shell_line("Overview")
with line.view:
    view = view_switch(offered=ALL_VIEWS)
summaries = load_latest_runs(view)
if not summaries:
    empty_state.no_runs("This page will show how faithful the latest answers are, and what needs attention.")
    archived_runs.archived_runs(None)
    st.stop()

trend = load_latest_trend(view)
notices = load_notices(summaries, trend)
headline.draw_score(line, summaries, view)
headline.draw_finding(line, summaries, notices, view)
headline.draw_next_step(line, summaries, notices)
left, right = st.columns([5, 6], gap="large")
with left:
    attention(notices, is_all_clear=is_clear(summaries, notices))
    latest_change(trend)
    note_feed.note_feed()
with right:
    latest_trend(trend, view)
    low_slices(summaries, view)
runs_table(view, trend)
archived_runs.archived_runs(series.in_view())
