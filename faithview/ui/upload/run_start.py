"""Starting a run: its name and series, how a model judges it, and the button that judges the file."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import JudgeSpec, Run
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.formats.files.report import ReadReport
from faithview.services.dataset_files import Dataset, check_file
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.services.runs.create import RunRequest, check_judge, create_repeats, create_run
from faithview.store.series import list_series
from faithview.ui import address, identity, opened_store, service_calls, session
from faithview.ui.upload.uploaded_file import DATES_FIRST
from faithview.ui.widgets.judge_choice import (
    UNMEASURED,
    Choice,
    ask_model_button,
    caution_line,
    choose_judge,
    estimate_line,
    where_it_goes,
)
from faithview.wording import figure_help
from faithview.wording import numbers as fmt

_MOST_REPEATS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The chosen options. `repeat` is how often each answer is judged; batches judge once and take no limits."""

    concurrency: int = 8
    limits: Limits = NO_LIMITS
    use_cache: bool = True
    repeat: int = 1
    by_batches: bool = False


def choose_options(dataset: Dataset, choice: Choice) -> RunOptions:
    """Draw the options and, above them, the estimate; nothing for a judge that calls no model."""
    if choice.spec is None or choice.offer.host is None:
        return RunOptions()
    estimate = st.empty()
    by_batches = choice.offer.has_methods and st.checkbox(
        "Use the vendor's batch API", key="upload.batch", help=_BATCH_HELP
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        concurrency = st.number_input(
            "Answers at a time", 1, 256, 16, key="upload.concurrency", width=160, disabled=by_batches
        )
        repeat = st.number_input(
            "Number of runs",
            1,
            _MOST_REPEATS,
            1,
            key="upload.repeat",
            width=140,
            disabled=by_batches,
            help=_REPEAT_HELP,
        )
        calls = st.number_input(
            "Maximum calls",
            1,
            None,
            None,
            key="upload.max_calls",
            placeholder="No limit",
            width=190,
            disabled=by_batches,
        )
        cost = st.number_input(
            "Maximum cost in dollars",
            0.0,
            None,
            None,
            0.1,
            key="upload.max_cost",
            placeholder="No limit",
            width=190,
            disabled=by_batches,
        )
    asks_again = st.checkbox("Judge answers again even if they were judged before", key="upload.no_cache")
    options = RunOptions(
        concurrency=concurrency,
        limits=NO_LIMITS if by_batches else Limits(max_calls=calls, max_cost=cost),
        use_cache=not asks_again,
        repeat=1 if by_batches else repeat,
        by_batches=by_batches,
    )
    with estimate:
        _estimate(dataset, choice, options)
    return options


def _estimate(dataset: Dataset, choice: Choice, options: RunOptions) -> None:
    if choice.spec is None:
        return
    try:
        estimate = service_calls.estimate(
            dataset,
            choice.spec,
            use_cache=options.use_cache,
            repeat=options.repeat,
            is_batch=options.by_batches,
        )
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    st.markdown(estimate_line(estimate))


_BATCH_HELP = (
    "All answers are submitted together and judged within a day, at about half the price. Limits and repeats do not "
    "apply to a batch. The run continues while the dashboard runs, and can be resumed later."
)
_REPEAT_HELP = (
    "Judges the same answers several times, each time as a separate run. The differences are the judge's noise."
)


def start_form(dataset: Dataset, *, is_settled: bool) -> None:
    """Draw the judge, the settings and the button that starts the run; the page then shows its progress.

    Args:
        dataset: the file under the chosen mapping.
        is_settled: whether everything that the page asks about the file is answered; else the button waits.
    """
    choice = choose_judge("upload", beside=partial(ask_model_button, "upload"), says_where=False)
    if choice.spec is not None:
        with st.container(key="upload-figures"):
            caution_line(choice.spec, before=where_it_goes(choice.offer), if_unmeasured=UNMEASURED)
    options = choose_options(dataset, choice)
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
            help=_SERIES_HELP,
        )
        kb_version = middle.text_input("Knowledge-base version", key="upload.kb", placeholder="Optional")
        threshold = right.number_input(
            "Faithful from", 0.0, 1.0, DEFAULT_THRESHOLD, 0.05, key="upload.threshold", help=figure_help.FAITHFUL_FROM
        )
        is_submitted = st.form_submit_button(
            "Judge the answers",
            type="primary",
            icon=":material/play_arrow:",
            disabled=choice.spec is None or not is_settled,
        )
    if not is_settled:
        st.caption(DATES_FIRST)
    if is_submitted and choice.spec is not None and is_settled:
        _start(
            dataset,
            name=name,
            series=series,
            kb_version=kb_version.strip() or None,
            threshold=threshold,
            judge=choice.spec,
            options=options,
        )


def _start(
    dataset: Dataset,
    *,
    name: str,
    series: str | None,
    kb_version: str | None,
    threshold: float,
    judge: JudgeSpec,
    options: RunOptions,
) -> None:
    if not service_calls.allow(identity.why_cannot_run()):
        return
    request = RunRequest(
        name=name,
        series=series,
        judge=judge,
        threshold=threshold,
        kb_version=kb_version,
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
    address.select_run(run.run_id)
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


_SERIES_HELP = (
    "The series this run belongs to. If empty, it is named after the file, without a date or number at the end."
)
