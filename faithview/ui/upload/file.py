"""The file of an upload: choosing it, what it was recognised as, and the questions that it leaves open."""

from datetime import UTC, datetime

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.mapping import FIELDS
from faithview.formats.readers.by_name import SCHEMA as COLUMNS_BY_NAME
from faithview.formats.reading.reader import Question
from faithview.formats.rows.contexts import DASHES
from faithview.formats.rows.contexts import OFFERED as OFFERED_SEPARATORS
from faithview.formats.rows.mapping import PER_ANSWER, PER_CHUNK
from faithview.formats.rows.timestamps import DAY_FIRST, MONTH_FIRST, parse_timestamp
from faithview.services.dataset_files import Dataset, Survey
from faithview.ui import identity, service_calls, session
from faithview.wording import numbers as fmt

_ONE_CHUNK = ""
_OTHER = "other"
_LEAVE_OUT = "leave out"


def choose_separator(dataset: Dataset) -> Dataset:
    """Draw what may separate the chunks of one cell, each with the chunks that it makes; nothing for lists."""
    found = dataset.find_separators()
    if found is None:
        return dataset
    labels = {_ONE_CHUNK: "Nothing: one chunk per cell"}
    labels |= {text: f"{OFFERED_SEPARATORS[text]} ({_range(*counts)})" for text, counts in found.items()}
    known = dataset.mapping.context_separator
    if known is not None and known not in labels:
        labels[known] = known
    labels[_OTHER] = "Something else"
    columns = " ".join(dataset.mapping.contexts)
    key = f"upload.separator.{dataset.content_key}.{columns}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.segmented_control(
            f"What separates the chunks in {fmt.listed([f'*{fmt.literal(c)}*' for c in dataset.mapping.contexts])}?",
            list(labels),
            default=known or (DASHES if DASHES in found else _ONE_CHUNK),
            format_func=lambda text: fmt.literal(labels[text]),
            required=True,
            key=key,
            help="In brackets: chunks per cell.",
        )
        if chosen == _OTHER:
            chosen = st.text_input("Separator", key=f"{key}.other", width=160, placeholder="For example ###")
    return dataset.override({"context_separator": (chosen,) if chosen else ()})


def choose_rows(dataset: Dataset) -> tuple[Dataset, bool]:
    """Ask whether an answer has a row for each of its chunks, where it looks so.

    Return the dataset with the answer, and whether nothing is left to ask.
    """
    looks_so = dataset.has_chunk_rows()
    if looks_so is False:
        return dataset, True
    labels = {PER_CHUNK: "One row per chunk", PER_ANSWER: "One row per answer"}
    chosen = st.segmented_control(
        "Several rows have the same question and answer. What is a row?",
        list(labels),
        default=dataset.mapping.one_row_per or (PER_CHUNK if looks_so else None),
        format_func=lambda unit: labels[unit],
        key=f"upload.rows.{dataset.content_key}",
    )
    return (dataset, False) if chosen is None else (dataset.override({"one_row_per": (chosen,)}), True)


def choose_date_order(dataset: Dataset, *, needs_chunks: bool = True) -> tuple[Dataset, bool]:
    """Ask which day a date such as 05/06/2026 is; return the dataset, and whether nothing is left to ask."""
    if dataset.mapping.timestamp is None:
        return dataset, True
    survey = service_calls.survey(dataset, needs_chunks=needs_chunks)
    shown = survey.report.ambiguous_date
    if not shown:
        return dataset, True
    labels = {order: label for order in (DAY_FIRST, MONTH_FIRST) if (label := _reading(shown, order))}
    labels[_LEAVE_OUT] = "Ignore these dates"
    told = survey.told_date_order
    chosen = st.segmented_control(
        f"Which day is {fmt.literal(shown)} in *{fmt.literal(dataset.mapping.timestamp)}*?",
        list(labels),
        default=told if told in labels else None,
        format_func=lambda order: labels[order],
        key=f"upload.date_order.{dataset.content_key}.{dataset.mapping.timestamp}",
    )
    if chosen is None:
        return dataset, False
    return dataset.override({"date_order": () if chosen == _LEAVE_OUT else (chosen,)}), True


def survey_words(survey: Survey, *, is_settled: bool = True) -> str:
    """Return a summary of a file's rows, in plain text: "120 answers, 4 chunks each, 19 Oct 2026".

    Of a large file only the first rows are looked at, and the text says so.

    No time is named until it is settled which day the dates mean.
    """
    parts = [fmt.plural(survey.answers, "answer"), _chunks_each(survey)]
    if survey.segments:
        parts.append(fmt.plural(survey.segments, "segment"))
    if is_settled and survey.first is not None and survey.last is not None:
        first, last = fmt.day(survey.first), fmt.day(survey.last)
        parts.append(first if first == last else f"{first} to {last}")
        if untimed := survey.answers - survey.timed:
            parts.append(f"{fmt.count(untimed)} without a time")
    text = ", ".join(parts)
    return f"First {fmt.count(survey.report.rows)} rows: {text}" if survey.is_partial else text


def _range(fewest: int, most: int) -> str:
    return f"{most} each" if fewest == most else f"{fewest} to {most}"


def _chunks_each(survey: Survey) -> str:
    numbers = sorted(survey.chunks)
    if not numbers:
        return "no chunks"
    if len(numbers) == 1:
        return f"{fmt.plural(numbers[0], 'chunk')} each"
    text = f"{numbers[0]} to {numbers[-1]} chunks each"
    if numbers[0] == 0:
        text += f" ({fmt.plural(survey.chunks[0], 'answer')} without any)"
    return text


def _reading(text: str, order: str) -> str | None:
    moment = parse_timestamp(text, date_order=order)
    if moment is None:
        return None
    at: datetime = moment.at.astimezone(UTC)
    return f"{at.day} {at:%B %Y} ({order.replace('-', ' ')})"


_SHOWN_PROBLEMS = 5
# Rows that can be uploaded as they are.
_EXAMPLES = {
    "CSV, one row per answer": "id,question,answer,contexts,segment\n"
    'q1,How long is the warranty?,Two years.,"[""The kettle has a two-year warranty.""]",kettles\n',
    "JSON Lines": '{"id": "q1", "question": "How long is the warranty?", "answer": "Two years.", '
    '"contexts": [{"id": "kb-7", "text": "The kettle has a two-year warranty."}]}\n',
    "CSV, one row per chunk": "id,question,answer,context,chunk_id\n"
    "q1,How long is the warranty?,Two years.,The kettle has a two-year warranty.,kb-7\n"
    "q1,How long is the warranty?,Two years.,Send the kettle back in its box.,kb-8\n",
}
TEMPLATE = "id,question,answer,contexts,segment,timestamp\n"
_LARGE_ZONE = (
    "<style>.st-key-upload-file [data-testid='stFileUploaderDropzone'] "
    "{ min-height: 9rem; align-items: center; justify-content: center; }</style>"
)


def choose_file() -> Dataset | None:
    """Draw the choice of a file and return it opened; None if there is none, or it may not or cannot be read."""
    if (refusal := identity.why_cannot_run()) is not None:
        st.info(refusal, icon=":material/lock:")
        return None
    pasted = session.PASTED_ROWS.get()
    if pasted is not None:
        name, content = pasted_name(pasted), pasted.encode()
        key = "upload.unpaste"
        st.button("Discard the pasted rows", icon=":material/close:", key=key, on_click=session.PASTED_ROWS.clear)
    else:
        has_file = session.widget_value("upload.file") is not None
        file = st.file_uploader(
            "A file of answers with their chunks",
            key="upload.file",
            label_visibility="collapsed" if has_file else "visible",  # below it, the button needs the height
        )
        if file is None:
            _draw_help()
            return None
        name, content = file.name, file.getvalue()
    try:
        return service_calls.open_upload(name, content)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return None


def pasted_name(text: str) -> str:
    """Return the name of a file with that text, which says what it is."""
    start = text.lstrip()
    if start.startswith("["):
        return "pasted.json"
    if start.startswith("{"):
        return "pasted.jsonl"
    return "pasted.tsv" if "\t" in start.partition("\n")[0] else "pasted.csv"


def _draw_help() -> None:
    """Draw what helps to make a first file."""
    st.html(_LARGE_ZONE)
    st.caption(
        "One row per answer with its retrieved chunks; question, id, segment and time are optional. csv, tsv, json, "
        "jsonl, parquet or xlsx, also gzipped, and files of Ragas, DeepEval and other tools. For more than "
        f"{st.get_option('server.maxUploadSize')} MB: `faithview evaluate FILE`."
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.download_button(
            "Download a template",
            TEMPLATE.encode,  # made on the click: the browser asks at once for a file that it is given
            "faithview-template.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
            key="upload.template",
        )
        with st.popover("Paste rows", icon=":material/content_paste:", key="upload.paste"):
            label = "Rows with a header, as from a spreadsheet, or JSON Lines"
            st.text_area(label, key="upload.pasted", height=200, placeholder=TEMPLATE.strip())
            st.button("Use these rows", type="primary", key="upload.paste.use", on_click=_keep_rows)
    with st.container(horizontal=True, gap="medium", key="upload-examples"):
        for title, text in _EXAMPLES.items():
            with st.container(border=True, width="stretch"):
                st.markdown(f"**{title}**")
                st.code(text, language=None, wrap_lines=True)  # the colours of a language are too faint


def _keep_rows() -> None:
    text = session.widget_text("upload.pasted")
    if text is not None:
        session.PASTED_ROWS.set(f"{text}\n")


def file_kind(dataset: Dataset) -> None:
    """Draw what the file was recognised as, and warnings."""
    detection, table = dataset.detection, dataset.table
    is_known = detection.reader.name != COLUMNS_BY_NAME
    what = f"**{fmt.literal(detection.reader.title)}**." if is_known else ""
    more = "Check what each column is."
    st.markdown(f"{what} :gray[{table.format}, {fmt.plural(len(table.columns), 'column')}. {more}]".strip())
    warnings = detection.warnings if is_known else ()  # by name, the columns that compete are asked about below
    for warning in (*table.warnings, *warnings):
        st.info(fmt.literal(warning), icon=":material/warning:")


def command_line_hint(dataset: Dataset, *, for_results: bool) -> None:
    """Draw, for a large file, the command that judges it in little memory; nothing for another one."""
    if service_calls.is_large(dataset):
        st.info(
            f"This file is {fmt.count(dataset.size // 1_000_000)} MB. The command line judges files of any size in "
            f"little memory: `faithview {'import' if for_results else 'evaluate'} FILE`.",
            icon=":material/terminal:",
        )


def file_summary(dataset: Dataset, *, is_settled: bool, needs_chunks: bool = True) -> bool:
    """Draw a summary of the rows, as a heading, and which are left out.

    Returns:
        Whether there is an answer to judge.
    """
    try:
        survey = service_calls.survey(dataset, needs_chunks=needs_chunks)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return False
    if survey.answers:
        st.markdown(f"#### {fmt.literal(survey_words(survey, is_settled=is_settled))}")
    else:
        st.error("No row can be read with these columns.", icon=":material/error:")
    report = survey.report
    if report.problem_count:
        shown = [fmt.literal(str(problem)) for problem in report.problems[:_SHOWN_PROBLEMS]]
        more = report.problem_count - len(shown)
        left_out = f"{fmt.plural(report.problem_count, 'row')} left out: {'; '.join(shown)}"
        st.info(left_out + (f"; and {fmt.count(more)} more" if more > 0 else ""), icon=":material/warning:")
    if survey.answers and set(survey.chunks) == {0} and needs_chunks:
        st.warning("No answer has a chunk, so nothing can support its claims.", icon=":material/warning:")
    return survey.answers > 0


_NONE = "None of them"
# The fields of these questions; the column of the score is chosen at the columns' heads.
_ASKED = (*FIELDS, "score_range")


def ask_rest(dataset: Dataset, *, for_results: bool) -> tuple[Dataset, bool]:
    """Ask what the columns' heads cannot say: what a column contains, and the scale of a tool's scores.

    Return the dataset with the answers, and whether nothing is left to ask.
    """
    asked = [question for question in dataset.open_questions(for_results=for_results) if question.field in _ASKED]
    is_settled = True
    for question in asked or (_of_later_rows(dataset) if for_results else ()):
        # Another tool's results need no chunks.
        others = [_NONE] if question.field == "contexts" and for_results else []
        chosen = ask(dataset, question, others=others)
        if chosen in question.candidates:
            field, _, column = chosen.partition("=") if question.field == "map" else (question.field, "", chosen)
            dataset = dataset.override({field: (column,)})
        elif chosen in others:
            dataset = dataset.override({question.field: ()})
        else:
            is_settled = False
    return dataset, is_settled


def _of_later_rows(dataset: Dataset) -> tuple[Question, ...]:
    """Return the questions that rows further down raise; a file that cannot be read is refused elsewhere."""
    try:
        return service_calls.survey(dataset, needs_chunks=False).questions
    except FaithViewError:
        return ()


def ask(dataset: Dataset, question: Question, *, others: list[str] | None = None) -> str | None:
    """Draw a question with its candidates and `others`; None until the user chooses."""
    return st.selectbox(
        f"{fmt.literal(question.why)} Which is it?",
        [*question.candidates, *(others or [])],
        index=None,
        placeholder="Choose one",
        key=f"upload.question.{question.field}.{dataset.content_key}",
    )
