"""Judges: can a judge be trusted, and where is it wrong?"""

import streamlit as st

from faithview.ui import shell
from faithview.ui.sections import empty, judges

st.title("Judges", anchor=False)
if not shell.services().count_runs():
    empty.no_runs("This page will hold each judge against what people found.")
    st.stop()

cards = judges.load_cards()
judges.finding(cards)
for card in cards:
    judges.card(card)
judges.benches()
