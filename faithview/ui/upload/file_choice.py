"""The file of an upload: choosing it, what it was recognised as, and what its rows amount to."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.domain.errors import FaithViewError
from faithview.services.datasets import COLUMNS_BY_NAME, Dataset, command_for
from faithview.ui.shell import app, cached, identity, session
from faithview.ui.shell.uploads import opening
from faithview.ui.upload.reading_choices import survey_words
from faithview.wording import numbers as fmt

_SHOWN_PROBLEMS = 5


def choose_file() -> Dataset | None:
    """Draw the choice of a file and return it opened; None where there is none, it cannot be read or nobody may."""
    refusal = identity.why_cannot_run()
    if refusal is not None:
        identity.sidebar()
        st.info(refusal, icon=":material/lock:")
        return None
    file = st.file_uploader("A file of answers with their chunks", key="upload.file")
    if file is None:
        st.caption(
            "One row per answer with its retrieved chunks; question, id, segment and time are optional. csv, tsv, "
            "json, jsonl, parquet or xlsx, also gzipped. Files of Ragas, DeepEval and other tools work unchanged, and "
            "their results can be taken over. For more than "
            f"{st.get_option('server.maxUploadSize')} MB use the command line: `faithview evaluate FILE`."
        )
        return None
    try:
        return opening.open_upload(file)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return None


def file_kind(dataset: Dataset) -> None:
    """Draw what the file was recognised as, what else it could be, and warnings."""
    detection, table = dataset.detection, dataset.table
    is_known = detection.schema != COLUMNS_BY_NAME
    what = f"**{fmt.literal(detection.title)}**. {fmt.literal(detection.why)}" if is_known else ""
    more = "Check the role above each column and change any that is wrong."
    st.markdown(f"{what} :gray[{table.format}, {fmt.plural(len(table.columns), 'column')}. {more}]".strip())
    if is_known and detection.runner_up is not None and detection.runner_up.schema != COLUMNS_BY_NAME:
        st.caption(f"It could also be: {fmt.literal(detection.runner_up.title)}.")
    warnings = detection.warnings if is_known else ()  # by name, the columns that compete are asked about below
    for warning in (*table.warnings, *warnings):
        st.info(fmt.literal(warning), icon=":material/warning:")


def command_line_hint(dataset: Dataset, *, for_results: bool) -> None:
    """Draw, for a large file, the command that does the same in little memory; nothing for another one."""
    if not cached.is_large(dataset):
        return
    database = app.services().database_url
    # Another database has a password, which no page shows.
    is_file = database.startswith("sqlite:")
    project = session.PROJECT.get()
    command = command_for(dataset, for_results=for_results, database=database if is_file else None, project=project)
    st.info(
        f"This file has {fmt.count(dataset.size // 1_000_000)} MB. The command line reads a file of any size in little "
        "memory, shows how far it is, and can be stopped and resumed. With the file in the current folder"
        + (":" if is_file or project is not None else ", and FAITHVIEW_DB set to this store:"),
        icon=":material/terminal:",
    )
    st.code(command, language=None, wrap_lines=True)


def file_summary(dataset: Dataset, heading: DeltaGenerator, *, is_settled: bool, needs_chunks: bool = True) -> bool:
    """Draw what the rows amount to, as a heading in its place, and which are left out.

    Returns:
        Whether there is an answer to judge.
    """
    try:
        survey = cached.survey(dataset, needs_chunks=needs_chunks)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return False
    if survey.answers:
        heading.markdown(f"#### {fmt.literal(survey_words(survey, is_settled=is_settled))}", width="content")
    else:
        st.error("No row can be read with these columns.", icon=":material/error:")
    report = survey.report
    if report.problem_count:
        shown = [fmt.literal(str(problem)) for problem in report.problems[:_SHOWN_PROBLEMS]]
        more = report.problem_count - len(shown)
        left_out = f"{fmt.plural(report.problem_count, 'row')} left out: {'; '.join(shown)}"
        st.info(left_out + (f"; and {fmt.count(more)} more" if more > 0 else ""), icon=":material/warning:")
    if survey.answers and set(survey.chunks) == {0} and needs_chunks:
        st.warning("No answer has a chunk: nothing could support its claims.", icon=":material/warning:")
    return survey.answers > 0
