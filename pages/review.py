"""Review: people label claims, one at a time."""

import streamlit as st

from faithview.ui import identity, page_setup, series
from faithview.ui.review import claim_screen, disagreements, navigator, spot_check_results, spot_checks
from faithview.ui.widgets import empty_state, new_spot_check
from faithview.ui.widgets.first_line import first_line

page_setup.require_app()

new_spot_check.store_opened()
check = navigator.find_check()
if check is not None:
    navigator.heading(check)
    name = identity.ask_reviewer()
    if name is not None:
        claim_screen.label_claims(check, name)
        claim_screen.keep_lease()
    else:
        spot_check_results.result_without_name(check)
    st.stop()

line = first_line("Review")
series.say_all(line.what)
if not empty_state.has_runs():
    empty_state.no_runs("Reviewers label a run's claims here, which shows how often the judge is right.")
    st.stop()

part = navigator.choose_part()
name = identity.ask_reviewer()
if part == navigator.DISAGREEMENTS:
    if name is not None:
        disagreements.adjudication(name)
else:
    spot_checks.spot_checks(name)
