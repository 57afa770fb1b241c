"""Judges: can a judge be trusted, and where is it wrong?"""

import streamlit as st

from faithview.ui import page_setup, series
from faithview.ui.judges import accuracy, head_to_head, reviewers
from faithview.ui.judges.accuracy import (
    FILES,
    PAIR,
    REVIEWERS,
    choose_judge,
    choose_part,
    draw_finding,
    judge_card,
    load_cards,
)
from faithview.ui.judges.head_to_head import PAGE
from faithview.ui.widgets import empty_state, label_bar
from faithview.ui.widgets.first_line import first_line

page_setup.require_app()

label_bar.answer_keys(PAGE)
line = first_line("Judges")
if not empty_state.has_runs():
    empty_state.no_runs("This page will compare each judge with reviewers' labels.")
    st.stop()

part = choose_part()
if part in (FILES, REVIEWERS):
    series.say_all(line.what)
if part == FILES:
    accuracy.benches()
    st.stop()
if part == REVIEWERS:
    reviewers.reviewers()
    st.stop()

cards = load_cards()
if not cards:
    st.markdown("All runs of this series are archived, so no judge is shown.")
    st.stop()
if part == PAIR:
    head_to_head.side_by_side(cards)
    st.stop()
draw_finding(cards)
judge_card(choose_judge(cards))
