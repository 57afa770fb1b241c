"""Queue: people label claims, one at a time."""

import streamlit as st

from faithview.ui import reviewer, shell
from faithview.ui.sections import disagreements, empty, queue, spot_checks

reviewer.sidebar()
check = queue.find_check()
if check is not None:
    queue.heading(check)
    name = reviewer.ask_who()
    if name is not None:
        queue.walk_through(check, name)
        queue.keep_lease()
    st.stop()

st.title("Queue", anchor=False)
if not shell.services().count_runs():
    empty.no_runs("This page will hand out their claims to people, who say how often the judge is right.")
    st.stop()

part = queue.choose_part()
name = reviewer.ask_who()
if part == queue.DISAGREEMENTS:
    if name is not None:
        disagreements.adjudication(name)
else:
    spot_checks.spot_checks(name)
