"""Judges: can a judge be trusted, and where is it wrong?"""

import streamlit as st

from faithview.ui.judges import benchmarks, head_to_head, reviewers
from faithview.ui.judges.judge_card import judge_card
from faithview.ui.judges.judge_list import choose_judge, draw_finding, load_cards
from faithview.ui.judges.opened_claim import PAGE
from faithview.ui.judges.part_choice import FILES, PAIR, REVIEWERS, choose_part
from faithview.ui.parts import empty_state
from faithview.ui.parts.labels import claim_labels
from faithview.ui.shell import identity
from faithview.ui.shell.shell_line import shell_line

identity.sidebar()
claim_labels.answer_keys(PAGE)
shell_line("Judges")
if not empty_state.has_runs():
    empty_state.no_runs("This page will compare each judge with people's labels.")
    st.stop()

part = choose_part()
if part == FILES:
    benchmarks.benches()
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
