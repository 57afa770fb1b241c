"""Judges: can a judge be trusted, and where is it wrong?"""

import streamlit as st

from faithview.ui.judges import benchmarks, head_to_head, judge_card, reviewers
from faithview.ui.parts import empty_state

st.title("Judges", anchor=False)
if not empty_state.has_runs():
    empty_state.no_runs("This page will hold each judge against what people found.")
    st.stop()

part = judge_card.choose_part()
if part == judge_card.FILES:
    benchmarks.benches()
    st.stop()
if part == judge_card.REVIEWERS:
    reviewers.reviewers()
    st.stop()

cards = judge_card.load_cards()
if part == judge_card.PAIR:
    head_to_head.side_by_side(cards)
    st.stop()
judge_card.finding(cards)
judge_card.card(judge_card.choose(cards))
