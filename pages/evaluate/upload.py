"""Upload: from a file to a run."""

import streamlit as st

from faithview.ui.shell.shell_line import shell_line
from faithview.ui.upload.file_choice import choose_file, file_kind, map_columns, preview
from faithview.ui.upload.run_progress import find_run, heading, read_report, watch
from faithview.ui.upload.run_start import start_form

run = find_run()
if run is not None:
    heading(run)
    read_report(run)
    watch(run)
    st.stop()

shell_line("Upload answers")
dataset = choose_file()
if dataset is None:
    st.stop()

file_kind(dataset)
left, right = st.columns([1, 3], gap="large")
with left:
    dataset = map_columns(dataset)
with right:
    works = preview(dataset)
    if works:
        start_form(dataset)
