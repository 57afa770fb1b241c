"""Queue: people label claims, one at a time."""

import streamlit as st

from faithview.ui.parts import empty_state
from faithview.ui.parts.teams import opened_answers
from faithview.ui.queue import claim_screen, disagreements, part_choice, result_page, spot_checks
from faithview.ui.shell import identity
from faithview.ui.shell.shell_line import shell_line

identity.sidebar()
opened_answers.store_opened()
check = part_choice.find_check()
if check is not None:
    part_choice.heading(check)
    name = identity.ask_reviewer()
    if name is not None:
        claim_screen.label_claims(check, name)
        claim_screen.keep_lease()
    else:
        result_page.result_without_name(check)
    st.stop()

shell_line("Queue")
if not empty_state.has_runs():
    empty_state.no_runs("Here people label claims of a run, which shows how often the judge is right.")
    st.stop()

part = part_choice.choose_part()
name = identity.ask_reviewer()
if part == part_choice.DISAGREEMENTS:
    if name is not None:
        disagreements.adjudication(name)
else:
    spot_checks.spot_checks(name)
