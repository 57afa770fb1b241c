"""Inspect: where does a run go wrong, and is the judge right?"""

from dataclasses import replace

import streamlit as st

from faithview.ui.inspect import (
    answer_filters,
    answer_list_panel,
    label_keys,
    place,
    run_header,
    slice_filter,
    team_line,
)
from faithview.ui.inspect.answer_panel import answer_panel
from faithview.ui.parts import corrected_score, empty_state
from faithview.ui.parts.run_picker import choose_run
from faithview.ui.parts.view_switch import ALL_VIEWS, view_switch
from faithview.ui.shell import identity
from faithview.ui.shell.shell_line import shell_line

identity.sidebar()
label_keys.answer_keys()
line = shell_line("Inspect")
run = choose_run(line, width=240)  # beside the score and the buttons in a window of 1280 px
if run is None:
    empty_state.no_runs("This page will list a run's answers, the most harmful first, each beside its chunks.")
    st.stop()

at = place.current(run.run_id)
with line.view:
    view = view_switch(offered=ALL_VIEWS)
with st.container(gap="xsmall"):
    run_header.run_header(run, view, line, at)
    view = corrected_score.shown_view(run, view)
    answer_filters.choose_filters(run, at)
    at = replace(at, filters=slice_filter.within_slice(run, at.filters, view))
at = answer_list_panel.find_row(run, at)
listing = answer_list_panel.load_list(run, at, view)
if not listing.page.total:
    answer_filters.nothing_matches(run)
    label_keys.take_keys(None)
    st.stop()

left, right = st.columns([1, 3], gap="medium")
with left:
    row = answer_list_panel.choose_answer(listing)
    team_line.spot_check_button(run, at.filters, view)
with right:
    answer_panel(run, at, row, view)
