"""Judges: can a judge be trusted, and where is it wrong?"""

import streamlit as st

from faithview.ui import shell
from faithview.ui.sections import empty, judge_benches, judge_pair, judge_reviewers, judges

st.title("Judges", anchor=False)
if not shell.services().count_runs():
    empty.no_runs("This page will hold each judge against what people found.")
    st.stop()

part = judges.choose_part()
if part == judges.FILES:
    judge_benches.benches()
    st.stop()
if part == judges.REVIEWERS:
    judge_reviewers.reviewers()
    st.stop()

cards = judges.load_cards()
if part == judges.PAIR:
    judge_pair.side_by_side(cards)
    st.stop()
judges.finding(cards)
judges.card(judges.choose(cards))
