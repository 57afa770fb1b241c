"""Starting a run: its name, its settings, and the button that judges the file."""

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import JudgeSpec
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.datasets import Dataset
from faithview.services.results.series import list_series
from faithview.services.runs.create import RunRequest, check_judge, create_repeats, create_run
from faithview.ui.parts.judge_choice import choose_judge
from faithview.ui.shell import address, app, identity, session, write
from faithview.ui.upload.run_options import RunOptions, choose_options
from faithview.wording import numbers as fmt


def start_form(dataset: Dataset, *, is_settled: bool) -> None:
    """Draw the judge, the settings and the button that starts the run; the page then shows its progress.

    Args:
        dataset: the file under the chosen mapping.
        is_settled: whether everything that the page asks about the file is answered; else the button waits.
    """
    choice = choose_judge("upload")
    options = choose_options(dataset, choice)
    with st.form("upload.run", border=False, enter_to_submit=False):
        left, beside, middle, right = st.columns([3, 3, 3, 2])
        name = left.text_input("Name of the run", value=dataset.table.name.partition(".")[0], key="upload.name")
        series = beside.selectbox(
            "Series",
            [known.name for known in list_series(app.services())],
            index=None,
            placeholder="Automatic",
            accept_new_options=True,
            key="upload.series",
            help=_SERIES_HELP,
        )
        kb_version = middle.text_input("Knowledge-base version", key="upload.kb", placeholder="Optional")
        threshold = right.number_input(
            "Faithful from", 0.0, 1.0, DEFAULT_THRESHOLD, 0.05, key="upload.threshold", help=_THRESHOLD_HELP
        )
        is_submitted = st.form_submit_button(
            "Judge the answers",
            type="primary",
            icon=":material/play_arrow:",
            disabled=choice.spec is None or not is_settled,
        )
    if not is_settled:
        st.caption("Choose how to read the dates first.")
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
    if not write.allow(identity.why_cannot_run()):
        return
    try:
        check_judge(judge, limits=options.limits, by_batches=options.by_batches)
        with st.spinner("Reading the file"):
            samples, report = dataset.read()
        run = create_run(
            app.services(),
            samples,
            RunRequest(
                name=name,
                series=series,
                judge=judge,
                threshold=threshold,
                kb_version=kb_version,
                source=dataset.table.name,
                use_cache=options.use_cache,
                by_batches=options.by_batches,
                rows_left_out=report.problem_count,
            ),
        )
        create_repeats(app.services(), run, samples, repeat=options.repeat)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    app.workers().start(run.run_id, concurrency=options.concurrency, limits=options.limits)
    session.READ_REPORT.set((run.run_id, report))
    address.select_run(run.run_id)
    st.rerun()


_THRESHOLD_HELP = "An answer is faithful if at least this share of its claims is supported and none is contradicted."
_SERIES_HELP = (
    "The runs that this one is looked at with. Left empty, it joins the series over the same questions, or begins one."
)
