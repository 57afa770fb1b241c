"""Data sets: which rows are runs over, what changed in them, and which are held out?"""

import streamlit as st

from faithview.ui.datasets import actions
from faithview.ui.datasets.choice import (
    choose_dataset,
    choose_version,
    draw_finding,
    draw_next_step,
    no_datasets,
    no_version,
)
from faithview.ui.datasets.page_data import load_datasets, load_runs, load_version
from faithview.ui.datasets.row_list import choose_row, draw_filters
from faithview.ui.datasets.row_panel import row_heading, row_panel
from faithview.ui.datasets.version_tables import choose_from_versions, runs_table
from faithview.ui.shell import identity
from faithview.ui.shell.shell_line import shell_line

identity.sidebar()
line = shell_line("Data sets")
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
    actions.matching_actions(dataset, version, matching)
with panel:
    if row is not None:
        row_heading(row)
        actions.row_actions(dataset, row)
        row_panel(row)
