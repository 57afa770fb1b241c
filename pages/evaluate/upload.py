"""Upload: from a file to a run."""

import streamlit as st

from faithview.ui.shell.shell_line import shell_line
from faithview.ui.upload.column_roles import choose_columns
from faithview.ui.upload.file_choice import choose_file, file_kind, file_summary
from faithview.ui.upload.reading_choices import choose_date_order, choose_separator
from faithview.ui.upload.run_progress import find_run, heading, read_report, watch
from faithview.ui.upload.run_result import run_result
from faithview.ui.upload.run_start import start_form

run = find_run()
if run is not None:
    line = heading(run)
    run_result(run, line)
    read_report(run)
    watch(run)
    st.stop()

shell_line("Upload answers")
dataset = choose_file()
if dataset is None:
    st.stop()

file_kind(dataset)
chosen = choose_columns(dataset)
for question in chosen.questions:
    st.warning(question, icon=":material/help:")
if chosen.questions:
    st.stop()

dataset = choose_separator(chosen.dataset)
dataset, is_settled = choose_date_order(dataset)
if file_summary(dataset, is_settled=is_settled):
    start_form(dataset, is_settled=is_settled)
