"""Review: reviewers label claims, one at a time."""

import streamlit as st

from faithview.ui import identity, page_setup, series
from faithview.ui.review import claim_screen, disagreements, first_label, navigator, spot_checks
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import first_line

page_setup.require_app()

check = navigator.find_check()
if check is not None:
    navigator.heading(check)
    name = identity.current_reviewer()
    if name is not None and identity.can_label(name):
        claim_screen.label_claims(check, name)
    else:
        first_label.draw_first_claim(check)
    st.stop()

line = first_line("Review")
series.say_all(line.what)
if not empty_state.has_runs():
    empty_state.no_runs("Reviewers label a run's claims here, which shows how often the judge is right.")
    st.stop()

if navigator.choose_part() == navigator.DISAGREEMENTS:
    disagreements.adjudication()
else:
    spot_checks.spot_checks()
