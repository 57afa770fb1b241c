"""Starting a run: its name, its settings, and the button that judges the file."""

from dataclasses import replace

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import JudgeSpec, Run
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.datasets import Dataset, ReadReport, check_file
from faithview.services.datasets.named import find_judged, list_datasets
from faithview.services.results.series import list_series
from faithview.services.runs.create import RunRequest, begin_run, check_judge, create_repeats, create_run
from faithview.ui.parts.judge_choice import choose_judge
from faithview.ui.shell import address, app, cached, identity, nav, session, write
from faithview.ui.upload.data_set_field import choose_data_set
from faithview.ui.upload.reading_choices import DATES_FIRST
from faithview.ui.upload.run_options import RunOptions, choose_options
from faithview.ui.upload.same_application import ANSWER_FIRST, SeriesAnswer, ask_same_application
from faithview.wording import datasets as words
from faithview.wording import figure_help
from faithview.wording import numbers as fmt


def start_form(dataset: Dataset, *, is_settled: bool) -> None:
    """Draw the judge, the settings and the button that starts the run; the page then shows its progress.

    Args:
        dataset: the file under the chosen mapping.
        is_settled: whether everything that the page asks about the file is answered; else the button waits.
    """
    if is_settled:
        _judged_before(dataset)
    same = ask_same_application(dataset) if is_settled else SeriesAnswer()
    choice = choose_judge("upload")
    options = choose_options(dataset, choice)
    with st.form("upload.run", border=False, enter_to_submit=False):
        left, beside, data_set, middle, right = st.columns([3, 3, 3, 3, 2])
        name = left.text_input("Name of the run", value=dataset.short_name, key="upload.name")
        series = beside.selectbox(
            "Series",
            [known.name for known in list_series(app.services())],
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
    """Say in which runs exactly these rows were judged already, and lead there; nothing where in none.

    Nothing is said of a large file either: nobody should wait until it is read to its end.
    """
    if cached.is_large(dataset):
        return
    try:
        # Reading and hashing a file takes a while: only for as many rows as some version has.
        rows = cached.survey(dataset).answers
        if not any(version.rows == rows for known in list_datasets(app.services()) for version in known.versions):
            return
        content_hash = cached.rows_hash(dataset)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    found = find_judged(app.services(), content_hash)
    if not found:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small", key="upload.judged"):
        st.markdown(f":material/history: :small[{words.judged_before_markdown(found)}]", width="stretch")
        if st.button("Open that run", key="upload.judged.open"):
            st.switch_page(nav.INSPECT, query_params=address.link(found[0].run_id))
        if st.button("See the data set", key="upload.judged.dataset") and found[0].dataset is not None:
            st.switch_page(nav.DATASETS, query_params={"dataset": found[0].dataset.dataset})


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
    if not write.allow(identity.why_cannot_run()):
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
    app.workers().start(run.run_id, concurrency=options.concurrency, limits=options.limits)
    session.READ_REPORT.set((run.run_id, report))
    address.select_run(run.run_id)
    st.rerun()


def store_answers(dataset: Dataset, request: RunRequest, *, repeat: int) -> tuple[Run, ReadReport]:
    """Store the file's answers as a run, with the runs that judge them again.

    Of a large file the first answers are stored here and the others while they are judged.
    """
    services = app.services()
    if not cached.is_large(dataset):
        check = check_file(dataset)
        request = replace(request, rows_left_out=check.report.problem_count)
        run = create_run(services, check.dataset.samples(), request, has_keys=True)
        create_repeats(services, run, repeat=repeat)
        return run, check.report
    report = ReadReport()
    run, rest = begin_run(
        services,
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
    create_repeats(services, run, repeat=repeat)
    return run, report


_SERIES_HELP = (
    "The runs that this one is shown with. Left empty, it joins the series with the same ids, or starts one. Where "
    "only the questions are the same, you are asked."
)
