"""Upload: from a file to a run."""

import streamlit as st

from faithview.ui import page_setup
from faithview.ui.upload.column_roles import choose_columns
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

run = find_run()
if run is not None:
    line = heading(run)
    run_result(run, line)
    read_report(run)
    watch(run)
    st.stop()

first_line("Upload")
dataset = choose_file()
if dataset is None:
    st.stop()

file_kind(dataset)
dataset = choose_format(dataset)
if dataset is None:
    st.stop()
is_import = takes_results(dataset)
chosen = choose_columns(dataset, for_results=is_import)
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
if is_readable:
    if is_import:
        import_form(dataset, is_settled=is_settled)
    else:
        start_form(dataset, is_settled=is_settled)
