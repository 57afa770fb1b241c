"""Answers: where does a run go wrong, and is the judge right?"""

from dataclasses import replace

import streamlit as st

from faithview.ui import page_addresses, page_setup
from faithview.ui.answers import claim_walk, labels, listed_answers, run_header
from faithview.ui.answers.answer_panel import answer_panel
from faithview.ui.widgets import corrected_score, empty_state
from faithview.ui.widgets.first_line import ALL_VIEWS, choose_run, first_line, view_switch

page_setup.require_app()

labels.answer_keys()
line = first_line("Answers")
run = choose_run(line, width=240)  # beside the score and the buttons in a window of 1280 px
if run is None:
    empty_state.no_runs("This page will list a run's answers, the most harmful first, each next to its chunks.")
    st.stop()

at = page_addresses.answers_place(run.run_id)
with line.view:
    view = view_switch(offered=ALL_VIEWS)
with st.container(gap="xsmall"):
    run_header.run_header(run, view, line, at)
    view = corrected_score.shown_view(run, view)
    walk = page_addresses.walked_claims()
    claims = claim_walk.load_walk(walk, run, at)
    if walk is not None and claims is not None:
        claim_walk.way_back(walk, claims)
    else:
        listed_answers.choose_filters(run, at)
        at = replace(at, filters=listed_answers.within_slice(run, at.filters, view))
opened = claim_walk.answer_of(claims, run, at, view) if claims is not None else None
if claims is not None and opened is not None:
    left, right = st.columns([1, 3], gap="medium")
    with left:
        name = claim_walk.choose_claim(claims, run, at)
    with right:
        answer_panel(run, at, opened, view, listed=name)
    st.stop()

at = listed_answers.find_row(run, at)
listing = listed_answers.load_list(run, at, view)
if not listing.page.total:
    listed_answers.nothing_matches(run)
    labels.take_keys(None)
    st.stop()

left, right = st.columns([1, 3], gap="medium")
with left:
    row = listed_answers.choose_answer(listing)
with right:
    answer_panel(run, at, row, view)
