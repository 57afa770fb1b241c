"""Data sets: which rows are runs over, what changed in them, and which are held out?"""

import streamlit as st

from faithview.ui import datasets, identity
from faithview.ui.datasets import (
    choose_dataset,
    choose_from_versions,
    choose_row,
    choose_version,
    draw_filters,
    draw_finding,
    draw_next_step,
    load_datasets,
    load_runs,
    load_version,
    no_datasets,
    no_version,
    row_heading,
    row_panel,
    runs_table,
)
from faithview.ui.widgets.first_line import first_line

identity.sidebar()
line = first_line("Data sets")
listed = load_datasets(line)
if not listed:
    no_datasets()
    st.stop()

dataset = choose_dataset(line, listed)
version = choose_version(line, dataset)
if version is None:
    no_version(dataset)
    st.stop()

runs = load_runs(version)
draw_next_step(line, runs)
loaded = load_version(dataset, version)
draw_finding(dataset, version, loaded.change, loaded.counts)
left, right = st.columns([1, 1], gap="medium")
with left:
    choose_from_versions(dataset, version, loaded.changes)
with right:
    runs_table(version, runs)

draw_filters(dataset, version)
rows, panel = st.columns([3, 2], gap="medium")
with rows:
    row, matching = choose_row(dataset, version)
    datasets.matching_actions(dataset, version, matching)
with panel:
    if row is not None:
        row_heading(row)
        datasets.row_actions(dataset, row)
        row_panel(row)
