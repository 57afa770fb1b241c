"""Upload: from a file to a run."""

import streamlit as st

from faithview.ui.sections import upload

run = upload.find_run()
if run is not None:
    upload.heading(run)
    upload.read_report(run)
    upload.watch(run)
    st.stop()

st.title("Upload answers", anchor=False)
dataset = upload.choose_file()
if dataset is None:
    st.stop()

upload.taken_for(dataset)
left, right = st.columns([1, 3], gap="large")
with left:
    dataset = upload.mapping(dataset)
with right:
    works = upload.preview(dataset)
    if works:
        upload.start(dataset)
