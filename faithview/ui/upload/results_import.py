"""A file with another tool's results: what to do with it, and the run that becomes of it."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.documents.files import UnusableRow
from faithview.domain.errors import FaithViewError
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.series import name_judged_by
from faithview.services.dataset_files import Dataset
from faithview.services.imports import find_results, import_run, preview_document
from faithview.ui import address, identity, opened_store, service_calls, session
from faithview.ui.upload.uploaded_file import DATES_FIRST, ask
from faithview.wording import numbers as fmt
from faithview.wording.figure_help import FAITHFUL_FROM

_TAKE, _JUDGE = "take", "judge"
_SHOWN_CLAIMS = 3


def choose_format(dataset: Dataset) -> Dataset | None:
    """Ask which of two equally likely formats the file has; None until the user chooses."""
    question = next((q for q in dataset.open_questions(for_results=True) if q.field == "format"), None)
    if question is None:
        return dataset
    chosen = ask(dataset, question)
    return None if chosen is None else dataset.as_format(chosen)


def takes_results(dataset: Dataset) -> bool:
    """Ask whether to take the tool's results or to judge the answers; False for a file without results."""
    if not dataset.has_results:
        return False
    tool = "the file's" if dataset.is_by_name else f"{dataset.detection.reader.tool}'s"
    what = "labels" if dataset.detection.reader.label is not None else "results"
    labels = {_TAKE: f"Import {fmt.literal(tool)} {what} as a run", _JUDGE: "Judge the answers here"}
    chosen = st.segmented_control(
        f"This file has {what}. What do you want to do?",
        list(labels),
        default=_JUDGE if dataset.is_by_name else _TAKE,
        format_func=lambda name: labels[name],
        required=True,
        key=f"upload.use.{dataset.content_key}",
        help="Imported results are not judged again. The same answers can be judged here later, to compare both.",
    )
    return chosen == _TAKE


def import_form(dataset: Dataset, *, is_settled: bool) -> None:
    """Draw the first results as they are read, and the button that stores them as a run; nothing is judged.

    Args:
        dataset: the file under the chosen mapping.
        is_settled: whether everything that the page asks about the file is answered; else the button waits.
    """
    _first_results(dataset)
    tool = "another tool" if dataset.is_by_name else dataset.detection.reader.tool
    with st.form("upload.import", border=False, enter_to_submit=False):
        left, right = st.columns([8, 2])
        name = left.text_input(
            "Name of the run",
            value=name_judged_by(dataset.short_name, tool),
            key="upload.import_name",
        )
        threshold = right.number_input(
            "Faithful from", 0.0, 1.0, DEFAULT_THRESHOLD, 0.05, key="upload.import_threshold", help=_THRESHOLD_HELP
        )
        is_submitted = st.form_submit_button(
            "Import results", type="primary", icon=":material/download_done:", disabled=not is_settled
        )
    if not is_settled:
        st.caption(DATES_FIRST)
    if not is_submitted or not is_settled or not service_calls.allow(identity.why_cannot_run()):
        return
    try:
        with st.spinner("Reading the file"):
            found = find_results(dataset)
        bar = st.progress(0.0, text="Storing the rows")
        done = import_run(
            opened_store.store(),
            found,
            name=name,
            threshold=threshold,
            on_stored=lambda rows: _show_stored(bar, rows, found.rows),
        )
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    session.READ_REPORT.set((done.summary.run.run_id, done.report))
    address.select_run(done.summary.run.run_id)
    st.rerun()


def _show_stored(bar: DeltaGenerator, stored: int, rows: int) -> None:
    bar.progress(stored / rows, text=f"{fmt.count(stored)} of {fmt.plural(rows, 'row')} stored")


def _first_results(dataset: Dataset) -> None:
    """Draw how the first rows are read, so users see a wrong column before anything is stored."""
    try:
        rows = preview_document(dataset, for_results=True).rows
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    lines = []
    for row in rows:
        if isinstance(row, UnusableRow) or (result := row.result) is None:
            continue
        claims = [f"{verdict.replace('_', ' ')}: {text}" for verdict, text in result.claims[:_SHOWN_CLAIMS]]
        more = len(result.claims) - len(claims)
        found = result.error or f"faithfulness {fmt.share(result.faithfulness)}"
        text = f"Row {row.key}: {found}" + ("" if result.error or claims else ", without claims")
        lines.append(fmt.literal(" · ".join([text, *claims, *([f"{fmt.count(more)} more"] if more > 0 else [])])))
    st.caption("  \n".join(lines))


_THRESHOLD_HELP = f"{FAITHFUL_FROM} A score without claims is faithful if it is at least this high."
