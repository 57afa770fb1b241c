"""The use of an upload: its answers are judged as a run, or a tool's results in it are imported as one."""

from functools import partial
from textwrap import shorten
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.domain.errors import FaithViewError
from faithview.domain.run import Run
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.series import name_judged_by
from faithview.formats.files.report import ReadReport
from faithview.services.dataset_files import Dataset, check_file
from faithview.services.imports import find_results, import_run, preview_file
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.services.runs.create import RunRequest, check_judge, create_repeats, create_run
from faithview.store.series import list_series
from faithview.ui import identity, opened_store, service_calls, session
from faithview.ui.address import go
from faithview.ui.widgets.judge_choice import (
    UNMEASURED,
    Choice,
    ask_model_button,
    caution_line,
    choose_judge,
    estimate_line,
    where_it_goes,
)
from faithview.wording import numbers as fmt
from faithview.wording.figure_help import FAITHFUL_FROM

_MOST_REPEATS = 50
_SHOWN_CHARACTERS = 300
_SHOWN_CLAIMS = 3
_SHOWN_CHARACTERS = 300
_TAKE, _JUDGE = "take", "judge"


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
        format_func=labels.__getitem__,
        required=True,
        key=f"upload.use.{dataset.content_key}",
    )
    return chosen == _TAKE


def import_form(dataset: Dataset, *, is_settled: bool) -> None:
    """Draw the first results as they are read, and the button that stores them as a run; nothing is judged.

    Args:
        dataset: the file under the chosen mapping.
        is_settled: whether everything that the page asks about the file is answered; else the button waits.
    """
    try:
        rows = preview_file(dataset, for_results=True).rows
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    lines = []
    for row in rows:
        if (sample := row.sample) is None or (result := row.result) is None:
            continue
        claims = [
            f"{claim.verdict.replace('_', ' ')}: {shorten(claim.text, _SHOWN_CHARACTERS)}"
            for claim in result.claims[:_SHOWN_CLAIMS]
        ]
        found = result.error or f"faithfulness {fmt.share(result.faithfulness)}"
        lines.append(fmt.literal(" · ".join([f"Row {sample.key}: {found}", *claims])))
    st.caption("  \n".join(lines))
    tool = "another tool" if dataset.is_by_name else dataset.detection.reader.tool
    with st.form("upload.import", border=False, enter_to_submit=False):
        left, right = st.columns([8, 2])
        name = left.text_input(
            "Name of the run", value=name_judged_by(dataset.short_name, tool), key="upload.import_name"
        )
        threshold = _threshold(right, key="upload.import_threshold")
        is_submitted = st.form_submit_button(
            "Import results", type="primary", icon=":material/download_done:", disabled=not is_settled
        )
    if not is_submitted or not service_calls.allow(identity.why_cannot_run()):
        return
    try:
        with st.spinner("Reading the file"):
            found_results = find_results(dataset)
        bar = st.progress(0.0, text="Storing the rows")

        def show(rows: int) -> None:
            bar.progress(rows / found_results.rows, text=f"{fmt.plural(rows, 'row')} stored")

        done = import_run(
            opened_store.store(),
            found_results,
            name=name,
            threshold=threshold,
            on_stored=show,
        )
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    session.READ_REPORT.set((done.summary.run.run_id, done.report))
    go(run=done.summary.run.run_id)
    st.rerun()


def _threshold(column: DeltaGenerator, *, key: str) -> float:
    """Draw the field for the threshold of a faithful answer."""
    return column.number_input("Faithful from", 0.0, 1.0, DEFAULT_THRESHOLD, 0.05, key=key, help=FAITHFUL_FROM)


class RunOptions(NamedTuple):
    """How a model judges: `repeat` is how often it judges each answer; batches judge once and have no limits."""

    concurrency: int = 8
    limits: Limits = NO_LIMITS
    use_cache: bool = True
    repeat: int = 1
    by_batches: bool = False


def start_form(dataset: Dataset, *, is_settled: bool) -> None:
    """Draw the judge, the settings and the button that starts the run; the page then shows its progress.

    Args:
        dataset: the file under the chosen mapping.
        is_settled: whether everything that the page asks about the file is answered; else the button waits.
    """
    choice = choose_judge("upload", beside=partial(ask_model_button, "upload"), says_where=False)
    judge = choice.spec
    if judge is not None:
        with st.container(key="upload-figures"):
            caution_line(judge, before=where_it_goes(choice.offer), if_unmeasured=UNMEASURED)
    options = _choose_options(dataset, choice)
    with st.form("upload.run", border=False, enter_to_submit=False):
        left, beside, middle, right = st.columns([3, 3, 3, 2])
        name = left.text_input("Name of the run", value=dataset.short_name, key="upload.name")
        series = beside.selectbox(
            "Series",
            [known.name for known in list_series(opened_store.store().db)],
            index=None,
            placeholder="Automatic",
            accept_new_options=True,
            key="upload.series",
            help="If empty, the file's name without a date or number at its end.",
        )
        kb_version = middle.text_input("Knowledge-base version", key="upload.kb", placeholder="Optional")
        threshold = _threshold(right, key="upload.threshold")
        is_submitted = st.form_submit_button(
            "Judge the answers",
            type="primary",
            icon=":material/play_arrow:",
            disabled=judge is None or not is_settled,
        )
    if not is_submitted or judge is None or not service_calls.allow(identity.why_cannot_run()):
        return
    request = RunRequest(
        name=name,
        series=series,
        judge=judge,
        threshold=threshold,
        kb_version=kb_version.strip() or None,
        source=dataset.table.name,
        use_cache=options.use_cache,
        by_batches=options.by_batches,
    )
    try:
        check_judge(judge, limits=options.limits, by_batches=options.by_batches)
        with st.spinner("Reading the file"):
            run, report = store_answers(dataset, request, repeat=options.repeat)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    opened_store.workers().start(run.run_id, concurrency=options.concurrency, limits=options.limits)
    session.PASTED_ROWS.clear()
    session.READ_REPORT.set((run.run_id, report))
    go(run=run.run_id)
    st.rerun()


def store_answers(dataset: Dataset, request: RunRequest, *, repeat: int) -> tuple[Run, ReadReport]:
    """Store the file's answers as a run, with the runs that judge them again."""
    store = opened_store.store()
    if service_calls.is_large(dataset):  # it is read only once
        report = ReadReport()
        run = create_run(store, dataset.samples(report=report), request, has_keys=True, report=report)
    else:
        check = check_file(dataset)
        report = check.report
        run = create_run(store, check.dataset.samples(), request, has_keys=True, report=report)
    create_repeats(store, run, repeat=repeat)
    return run, report


def _choose_options(dataset: Dataset, choice: Choice) -> RunOptions:
    """Draw the options and, above them, the estimate; nothing for a judge that calls no model."""
    if choice.spec is None or choice.offer.host is None:
        return RunOptions()
    above = st.empty()
    by_batches = choice.offer.has_methods and st.checkbox(
        "Use the vendor's batch API",
        key="upload.batch",
        help="Takes up to a day and costs about half. Judges each answer once; no maximum applies.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = partial(st.number_input, disabled=by_batches, width=190)
        concurrency = number("Answers at a time", 1, 256, 16, key="upload.concurrency")
        repeat = number("Number of runs", 1, _MOST_REPEATS, 1, key="upload.repeat", help=_REPEAT_HELP)
        calls = number("Maximum calls", 1, None, None, key="upload.max_calls", placeholder="No limit")
        cost = number("Maximum cost in dollars", 0.0, None, None, 0.1, key="upload.max_cost", placeholder="No limit")
    asks_again = st.checkbox("Judge answers again even if they were judged before", key="upload.no_cache")
    options = RunOptions(
        concurrency=concurrency,
        limits=NO_LIMITS if by_batches else Limits(max_calls=calls, max_cost=cost),
        use_cache=not asks_again,
        repeat=1 if by_batches else repeat,
        by_batches=by_batches,
    )
    try:
        estimate = service_calls.estimate(
            dataset, choice.spec, use_cache=options.use_cache, repeat=options.repeat, is_batch=options.by_batches
        )
        above.markdown(estimate_line(estimate))
    except FaithViewError as error:
        above.error(fmt.literal(str(error)), icon=":material/error:")
    return options


_REPEAT_HELP = "Judges the same answers several times, as separate runs that differ only by the judge's noise."
