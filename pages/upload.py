"""Upload: from a file to a run; which rows are runs over, what changed in them, and which are held out?"""

import streamlit as st

from faithview.ui import address, navigation, page_setup, series
from faithview.ui.upload import datasets
from faithview.ui.upload.column_roles import choose_columns, choose_mapping, offer_saving
from faithview.ui.upload.results_import import choose_format, import_form, takes_results
from faithview.ui.upload.run_progress import find_run, heading, read_report, run_result, watch
from faithview.ui.upload.run_start import start_form
from faithview.ui.upload.uploaded_file import (
    ask_rest,
    choose_date_order,
    choose_file,
    choose_rows,
    choose_separator,
    command_line_hint,
    file_kind,
    file_summary,
)
from faithview.ui.widgets.first_line import first_line

page_setup.require_app()

_TABS = {"file": "Upload", navigation.VERSIONS: "Files and versions"}

if address.selected_tab(_TABS) == navigation.VERSIONS:
    line = first_line("Upload", document="Files and versions", tabs=_TABS)
    series.say_all(line.what)
    listed = datasets.load_datasets(line)
    if not listed:
        datasets.no_datasets()
        st.stop()

    chosen_set = datasets.choose_dataset(line, listed)
    version = datasets.choose_version(line, chosen_set)
    if version is None:
        datasets.no_version(chosen_set)
        st.stop()

    runs = datasets.load_runs(version)
    datasets.draw_next_step(line, runs)
    loaded = datasets.load_version(chosen_set, version)
    datasets.draw_finding(chosen_set, version, loaded.change, loaded.counts)
    # Below each other on a narrow page: see the style sheet of the page.
    with st.container(key="compare_pair_versions"):
        left, right = st.columns([1, 1], gap="medium")
    with left:
        datasets.choose_from_versions(chosen_set, version, loaded.changes)
    with right:
        datasets.runs_table(version, runs)

    datasets.draw_filters(chosen_set)
    with st.container(key="compare_pair_rows"):
        rows, panel = st.columns([3, 2], gap="medium")
    with rows:
        row, matching = datasets.choose_row(chosen_set, version)
        datasets.matching_actions(chosen_set, version, matching)
    with panel:
        if row is not None:
            datasets.row_heading(row)
            datasets.row_actions(chosen_set, row)
            datasets.row_panel(row)
    st.stop()

run = find_run()
if run is not None:
    line = heading(run)
    run_result(run, line)
    read_report(run)
    watch(run)
    st.stop()

first_line("Upload", tabs=_TABS)
dataset = choose_file()
if dataset is None:
    st.stop()

file_kind(dataset)
dataset = choose_format(dataset)
if dataset is None:
    st.stop()
mapped = choose_mapping(dataset)
dataset = mapped.dataset
is_import = takes_results(dataset)
chosen = choose_columns(dataset, for_results=is_import, saved=mapped.saved)
for question in chosen.questions:
    st.warning(question, icon=":material/help:")
if chosen.questions:
    st.stop()

dataset, is_settled = ask_rest(chosen.dataset, for_results=is_import)
if not is_settled:
    st.stop()

dataset, is_settled = choose_rows(dataset)
if not is_settled:
    st.stop()
dataset = choose_separator(dataset)
dataset, is_settled = choose_date_order(dataset, needs_chunks=not is_import)
command_line_hint(dataset, for_results=is_import)
summary_line = st.container(horizontal=True, vertical_alignment="center")
is_readable = file_summary(dataset, summary_line, is_settled=is_settled, needs_chunks=not is_import)
offer_saving(dataset, saved=mapped.saved, place=summary_line)
if is_readable:
    if is_import:
        import_form(dataset, is_settled=is_settled)
    else:
        start_form(dataset, is_settled=is_settled)
