"""Starting a run: its name, its data set and series, how a model judges it, and the button that judges the file."""

from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.domain.errors import FaithViewError
from faithview.domain.run import JudgeSpec, Run, unused_name
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.series import CHECKED_ANSWERS, name_series
from faithview.formats.files.report import ReadReport
from faithview.services.dataset_files import Dataset, check_file
from faithview.services.datasets import find_judged, list_datasets
from faithview.services.mappings import remember_columns
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.services.runs.create import RunRequest, begin_run, check_judge, create_repeats, create_run
from faithview.store.series import list_series
from faithview.ui import address, identity, navigation, opened_store, service_calls, session
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
from faithview.wording import runs as words
from faithview.wording.runs import same_application_markdown

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


ANSWER_FIRST = "Say whether it is the same application, or choose a series."

_YES, _NO = "Yes, add it", "No, new series"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesAnswer:
    """The user's answer: `series` is the one to add the run to; `is_open` says that the answer is missing.

    If there was no question, `series` is None and the run joins its series by its ids.
    """

    is_open: bool = False
    is_new: bool = False
    series: str | None = None

    def series_for(self, run_name: str) -> str | None:
        """Return the series of a run of that name; None if it joins one by its ids, or starts its own."""
        if not self.is_new:
            return self.series
        return unused_name(
            name_series(run_name), {CHECKED_ANSWERS, *(known.name for known in list_series(opened_store.store().db))}
        )


def ask_same_application(dataset: Dataset) -> SeriesAnswer:
    """Ask whether the file is the same application as a series with its questions, unless its ids say so.

    Draws nothing if there is no such series.
    """
    try:
        placement = service_calls.placement(dataset)
    except FaithViewError:  # why the file cannot be read is shown where it is read to be judged
        return SeriesAnswer()
    if placement.by_ids or (not placement.joins and placement.alike is None):
        return SeriesAnswer()
    chosen = st.segmented_control(
        same_application_markdown(placement),
        [_YES, _NO],
        key=f"upload.same.{dataset.content_key}",
        help="Overview, Trends and Changes show the runs of one series together.",
    )
    if chosen is None:
        return SeriesAnswer(is_open=True)
    if chosen == _NO:
        return SeriesAnswer(is_new=True)
    return SeriesAnswer(series=placement.series if placement.joins else placement.alike)


def choose_data_set(place: DeltaGenerator, *, key: str) -> str | None:
    """Draw the field in a column of a form; None leaves it to FaithView to find the data set."""
    return place.selectbox(
        "Data set",
        [known.name for known in list_datasets(opened_store.store())],
        index=None,
        placeholder="Automatic",
        accept_new_options=True,
        key=key,
        help=_HELP,
    )


_HELP = (
    "The data set for these rows. If empty, FaithView uses the one with the same rows or questions, or creates a new "
    "one."
)


def start_form(dataset: Dataset, *, is_settled: bool) -> None:
    """Draw the judge, the settings and the button that starts the run; the page then shows its progress.

    Args:
        dataset: the file under the chosen mapping.
        is_settled: whether everything that the page asks about the file is answered; else the button waits.
    """
    if is_settled:
        _judged_before(dataset)
    same = ask_same_application(dataset) if is_settled else SeriesAnswer()
    choice = choose_judge("upload", beside=partial(ask_model_button, "upload"), says_where=False)
    if choice.spec is not None:
        with st.container(key="upload-figures"):
            caution_line(choice.spec, before=where_it_goes(choice.offer), if_unmeasured=UNMEASURED)
    options = choose_options(dataset, choice)
    with st.form("upload.run", border=False, enter_to_submit=False):
        left, beside, data_set, middle, right = st.columns([3, 3, 3, 3, 2])
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
        dataset_name = choose_data_set(data_set, key="upload.dataset")
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
    if is_submitted and same.is_open and series is None:
        st.warning(ANSWER_FIRST, icon=":material/help:")
    elif is_submitted and choice.spec is not None and is_settled:
        _start(
            dataset,
            name=name,
            series=series or same.series_for(name),
            dataset_name=dataset_name,
            kb_version=kb_version.strip() or None,
            threshold=threshold,
            judge=choice.spec,
            options=options,
        )


def _judged_before(dataset: Dataset) -> None:
    """List earlier runs of exactly these rows, with links; draw nothing if there are none.

    Large files are skipped too, because the user would have to wait until the whole file is read.
    """
    if service_calls.is_large(dataset):
        return
    try:
        # Reading and hashing a file takes a while: only for as many rows as some version has.
        rows = service_calls.survey(dataset).answers
        if not any(version.rows == rows for known in list_datasets(opened_store.store()) for version in known.versions):
            return
        content_hash = service_calls.rows_hash(dataset)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    found = find_judged(opened_store.store(), content_hash)
    if not found:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small", key="upload.judged"):
        st.markdown(f":material/history: :small[{words.judged_before_markdown(found)}]", width="stretch")
        if st.button("Open that run", key="upload.judged.open"):
            st.switch_page(navigation.ANSWERS, query_params=address.link(found[0].run_id))
        if st.button("See the data set", key="upload.judged.dataset") and found[0].dataset is not None:
            link = {**address.tab_link(navigation.VERSIONS), "dataset": found[0].dataset.dataset}
            st.switch_page(navigation.UPLOAD, query_params=link)


def _start(
    dataset: Dataset,
    *,
    name: str,
    series: str | None,
    dataset_name: str | None,
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
        dataset=dataset_name,
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
    remember_columns(opened_store.store(), dataset, run.name)
    opened_store.workers().start(run.run_id, concurrency=options.concurrency, limits=options.limits)
    session.PASTED_ROWS.clear()
    session.READ_REPORT.set((run.run_id, report))
    address.select_run(run.run_id)
    st.rerun()


def store_answers(dataset: Dataset, request: RunRequest, *, repeat: int) -> tuple[Run, ReadReport]:
    """Store the file's answers as a run, with the runs that judge them again.

    Of a large file the first answers are stored here and the others while they are judged.
    """
    store = opened_store.store()
    if not service_calls.is_large(dataset):
        check = check_file(dataset)
        request = replace(request, rows_left_out=check.report.problem_count)
        run = create_run(store, check.dataset.samples(), request, has_keys=True)
        create_repeats(store, run, repeat=repeat)
        return run, check.report
    report = ReadReport()
    run, rest = begin_run(
        store,
        dataset.samples(report=report),
        request,
        has_keys=True,
        rows_left_out=lambda: report.problem_count,
    )
    # A vendor's batches and the runs that judge again take all answers at once.
    if rest is not None and (repeat > 1 or request.by_batches):
        run = rest.store()
    elif rest is not None:
        rest.store_in_background()
    create_repeats(store, run, repeat=repeat)
    return run, report


_SERIES_HELP = (
    "The series this run belongs to. If empty, the run joins the series with the same ids or starts a new one. If "
    "only the questions are the same, FaithView asks you."
)
