"""Upload: from a file to a run."""

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.services.results import get_run
from faithview.ui import opened_store, page_setup
from faithview.ui.upload import file, progress, start
from faithview.ui.upload.columns import choose_columns
from faithview.ui.widgets.first_line import first_line
from faithview.wording import numbers as fmt

page_setup.require_app()

reference = st.query_params.get("run")
run = None
if reference is not None:
    try:
        run = get_run(opened_store.store(), reference)
    except NotFound:
        st.info(f"There is no run {fmt.literal(reference)} in this store.", icon=":material/link_off:")
if run is not None:
    line = first_line(run.name)
    line.what.caption(fmt.literal(fmt.run_line(run, with_status=False)))
    if run.repeats:
        st.caption(f"Its answers are judged again in {fmt.plural(len(run.repeats), 'further run')}.")
    progress.run_result(run, line)
    progress.read_report(run)
    progress.watch(run)
    st.stop()

first_line("Upload")
dataset = file.choose_file()
if dataset is None:
    st.stop()
file.file_kind(dataset)
is_import = start.takes_results(dataset)
dataset, questions = choose_columns(dataset, for_results=is_import)
for question in questions:
    st.warning(question, icon=":material/help:")
if questions:
    st.stop()
dataset, is_settled = file.ask_rest(dataset, for_results=is_import)
if not is_settled:
    st.stop()
dataset, is_settled = file.choose_rows(dataset)
if not is_settled:
    st.stop()
dataset = file.choose_separator(dataset)
dataset, is_settled = file.choose_date_order(dataset, needs_chunks=not is_import)
if not is_settled:
    st.caption("First choose how to read the dates.")
file.command_line_hint(dataset, for_results=is_import)
if file.file_summary(dataset, is_settled=is_settled, needs_chunks=not is_import):
    form = start.import_form if is_import else start.start_form
    form(dataset, is_settled=is_settled)
