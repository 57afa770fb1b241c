"""Queue: people label claims, one at a time."""

import streamlit as st

from faithview.ui.parts import empty_state
from faithview.ui.queue import claim_screen, disagreements, spot_checks
from faithview.ui.shell import identity

identity.sidebar()
check = claim_screen.find_check()
if check is not None:
    claim_screen.heading(check)
    name = identity.ask_reviewer()
    if name is not None:
        claim_screen.walk_through(check, name)
        claim_screen.keep_lease()
    st.stop()

st.title("Queue", anchor=False)
if not empty_state.has_runs():
    empty_state.no_runs("This page will hand out their claims to people, who say how often the judge is right.")
    st.stop()

part = claim_screen.choose_part()
name = identity.ask_reviewer()
if part == claim_screen.DISAGREEMENTS:
    if name is not None:
        disagreements.adjudication(name)
else:
    spot_checks.spot_checks(name)
