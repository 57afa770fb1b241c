"""Upload: from a file to a run."""

import streamlit as st

from faithview.ui.upload import file_panel

run = file_panel.find_run()
if run is not None:
    file_panel.heading(run)
    file_panel.read_report(run)
    file_panel.watch(run)
    st.stop()

st.title("Upload answers", anchor=False)
dataset = file_panel.choose_file()
if dataset is None:
    st.stop()

file_panel.taken_for(dataset)
left, right = st.columns([1, 3], gap="large")
with left:
    dataset = file_panel.mapping(dataset)
with right:
    works = file_panel.preview(dataset)
    if works:
        file_panel.start(dataset)
