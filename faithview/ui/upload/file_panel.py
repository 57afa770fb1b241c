"""Parts of the upload page: what a file was taken for, its mapping, the run, its progress."""

import time
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.domain.sample import Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.views import AnswerFilter, Progress
from faithview.services.datasets import Dataset, RowProblem
from faithview.services.results.answers import list_answers
from faithview.services.results.runs import cancel_run, get_progress, get_run
from faithview.services.runs.create import check_judge, create_repeats, create_run
from faithview.ui.components.answer_list import answer_list
from faithview.ui.components.selection import forget_choice
from faithview.ui.parts.judge_choice import choose_judge
from faithview.ui.shell import address, app, cached, identity, nav, session, write
from faithview.ui.upload.run_options import RunOptions, choose_options
from faithview.wording import numbers as fmt

_MOVING = (RunStatus.RUNNING, RunStatus.PENDING)
# How long a worker may take to start, in seconds, before the page shows the run as it was.
_WORKER_START_S = 8.0
_PREVIEW_ROWS = 5
_PREVIEW_CHARACTERS = 300
_SHOWN_PROBLEMS = 5
_WORST_ROWS = 8

# The fields a person maps, with the words for them; the rest follows from these.
_FIELDS: Mapping[str, str] = {
    "question": "Question",
    "answer": "Answer",
    "contexts": "Retrieved chunks",
    "key": "Row id",
    "segment": "Segment",
    "reference": "Reference answer",
    "timestamp": "Time",
}


def choose_file() -> Dataset | None:
    """Draw the choice of a file; return it opened, or None and say why it cannot be read."""
    file = st.file_uploader(
        "A file of answers with their chunks",
        key="upload.file",
    )
    if file is None:
        st.caption(
            "One row an answer: the answer and its retrieved chunks; question, id, segment and time where known. "
            "csv, tsv, json, jsonl, parquet or xlsx, also gzipped; files of Ragas and DeepEval as they are."
        )
        return None
    try:
        return cached.open_upload(file.name, file.getvalue())
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return None


def taken_for(dataset: Dataset) -> None:
    """Draw what the file was taken for, why, and what else it could be."""
    detection = dataset.detection
    st.markdown(f"**{fmt.literal(detection.title)}** ({dataset.table.format}). {fmt.literal(detection.why)}")
    if detection.runner_up is not None:
        st.caption(f"It could also be: {fmt.literal(detection.runner_up.title)}.")
    for warning in (*dataset.table.warnings, *detection.warnings):
        st.info(fmt.literal(warning), icon=":material/warning:")


def mapping(dataset: Dataset) -> Dataset:
    """Draw which column is what and return the dataset under the mapping that a person settled on."""
    columns = list(dataset.table.columns)
    overrides: dict[str, tuple[str, ...]] = {}
    for field, label in _FIELDS.items():
        found = getattr(dataset.mapping, field)
        key = f"upload.map.{dataset.table.name}.{field}"
        if field == "contexts":
            chosen = tuple(st.multiselect(label, columns, default=list(found), key=key))
            if chosen != tuple(found):
                overrides[field] = chosen
            continue
        one = st.selectbox(
            label, columns, index=columns.index(found) if found in columns else None, key=key, placeholder="none"
        )
        if one != found:
            overrides[field] = (one,) if one is not None else ()
    return dataset.override(overrides)


def preview(dataset: Dataset) -> bool:
    """Draw the first rows as they will be read; return whether the mapping works."""
    try:
        rows = dataset.preview(limit=_PREVIEW_ROWS)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return False
    st.dataframe(
        pd.DataFrame([_preview_row(row) for row in rows]),
        hide_index=True,
        column_config={
            "question": st.column_config.TextColumn("Question", width="medium"),
            "answer": st.column_config.TextColumn("Answer", width="medium"),
            "n": st.column_config.NumberColumn("Chunks"),
            "first": st.column_config.TextColumn("First chunk", width="medium"),
            "segment": st.column_config.TextColumn("Segment"),
            "key": st.column_config.TextColumn("Row id"),
            "problem": st.column_config.TextColumn("Left out because"),
        },
        column_order=["question", "answer", "n", "first", "segment", "key"]
        + (["problem"] if any(isinstance(row, RowProblem) for row in rows) else []),
        alt="The first rows of the file as they will be read.",
    )
    return True


def start(dataset: Dataset) -> None:
    """Draw the run's settings and the button that judges; then the page watches the run."""
    choice = choose_judge("upload")
    options = choose_options(dataset, choice)
    with st.form("upload.run", border=False):
        left, middle, right = st.columns([3, 2, 2])
        name = left.text_input("Name of the run", value=dataset.table.name.partition(".")[0], key="upload.name")
        kb_version = middle.text_input("Knowledge-base version", key="upload.kb", placeholder="Optional")
        threshold = right.number_input(
            "Faithful from", 0.0, 1.0, DEFAULT_THRESHOLD, 0.05, key="upload.threshold", help=_THRESHOLD_HELP
        )
        sent = st.form_submit_button(
            "Judge the answers", type="primary", icon=":material/play_arrow:", disabled=choice.spec is None
        )
    if sent and choice.spec is not None:
        _start(
            dataset,
            name=name,
            kb_version=kb_version.strip() or None,
            threshold=threshold,
            judge=choice.spec,
            options=options,
        )


def find_run() -> Run | None:
    """Return the run that the address names, None if there is none."""
    reference = st.query_params.get("run")
    if reference is None:
        return None
    try:
        return get_run(app.services(), reference)
    except NotFound:
        st.info(f"There is no run {fmt.literal(reference)} in this store.", icon=":material/link_off:")
        return None


def heading(run: Run) -> None:
    """Draw which run this is."""
    st.title(fmt.literal(run.name), anchor=False)
    st.caption(fmt.literal(fmt.run_line(run, with_status=False)))
    if run.repeats:
        st.caption(f"Judged again after it, as runs of their own: {fmt.plural(len(run.repeats), 'repeat')}.")


def watch(run: Run) -> None:
    """Draw a run's progress, asked from the store every second while it is running."""
    is_moving = run.status in _MOVING
    st.fragment(_progress, run_every=1.0 if is_moving else None)(run.run_id, is_moving)


def _progress(run_id: str, was_moving: bool) -> None:
    progress = get_progress(app.services(), run_id)
    error = app.workers().find_error(run_id)
    if was_moving and (error or progress.status not in _MOVING):
        st.rerun()
    st.progress(progress.done / progress.total if progress.total else 0.0, text=progress_line(progress))
    if error or progress.error:
        st.error(fmt.literal(error or progress.error or ""), icon=":material/error:")
    with st.container(horizontal=True):
        _controls(run_id, progress, has_died=error is not None)
    _worst_so_far(run_id)


def progress_line(progress: Progress) -> str:
    """Return how far a run has come, in words."""
    parts = [
        fmt.STATUS_WORDS[progress.status].capitalize(),
        f"{fmt.count(progress.done)} of {fmt.plural(progress.total, 'answer')}",
        f"{fmt.count(progress.failed)} failed",
    ]
    if progress.rate:
        parts.append(f"{progress.rate:,.0f} a second" if progress.rate >= 10 else f"{progress.rate:.1f} a second")
    usage = progress.usage
    if usage.llm_calls or usage.cached_calls:
        parts.append(f"{fmt.plural(usage.llm_calls, 'call')}, {fmt.count(usage.cached_calls)} from the cache")
        parts.append(f"{fmt.count(usage.prompt_tokens + usage.completion_tokens)} tokens")
    if usage.cost_usd is not None:
        parts.append(rf"\{fmt.dollars(usage.cost_usd)}")
    if progress.seconds_left is not None and progress.done < progress.total:
        parts.append(f"about {fmt.duration(progress.seconds_left)} left")
    return " · ".join(parts)


def _controls(run_id: str, progress: Progress, *, has_died: bool) -> None:
    services = app.services()
    if st.button("Open the run", type="primary", icon=":material/find_in_page:", key="upload.open"):
        st.switch_page(nav.INSPECT, query_params=address.link(run_id))
    is_running = progress.status is RunStatus.RUNNING and not has_died
    can_resume = progress.done < progress.total and (has_died or progress.status not in _MOVING)
    if (
        is_running
        and st.button("Cancel", icon=":material/stop:", key="upload.cancel")
        and write.allow(identity.why_cannot_run())
    ):
        cancel_run(services, run_id)
        st.toast("The run stops after the answers under way; what is judged stays.")
    if (
        can_resume
        and st.button("Resume", icon=":material/play_arrow:", key="upload.resume")
        and write.allow(identity.why_cannot_run())
    ):
        _resume(run_id)
    if st.button("Judge another file", icon=":material/upload_file:", key="upload.another"):
        address.forget_run()
        st.rerun()


def _resume(run_id: str) -> None:
    app.workers().start(run_id)
    # The worker needs a moment until it has taken the run; until then the run would look as it did before.
    deadline = time.monotonic() + _WORKER_START_S
    while time.monotonic() < deadline and get_run(app.services(), run_id).status not in (RunStatus.RUNNING,):
        if app.workers().find_error(run_id) or get_run(app.services(), run_id).status is RunStatus.COMPLETE:
            break
        time.sleep(0.1)
    st.rerun()


def _worst_so_far(run_id: str) -> None:
    page = list_answers(app.services(), run_id, AnswerFilter(), limit=_WORST_ROWS)
    rows = [row for row in page.rows if row.faithfulness is not None and row.faithfulness < 1]
    if not rows:
        return
    st.caption("The worst answers found so far")
    chosen = answer_list(rows, key="upload.worst", selected=None, height=320)
    if chosen is not None:
        forget_choice("upload.worst")
        st.switch_page(nav.INSPECT, query_params=address.link(run_id, chosen))


def _start(
    dataset: Dataset, *, name: str, kb_version: str | None, threshold: float, judge: JudgeSpec, options: RunOptions
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
            name=name,
            judge=judge,
            threshold=threshold,
            kb_version=kb_version,
            source=dataset.table.name,
            use_cache=options.use_cache,
            by_batches=options.by_batches,
        )
        create_repeats(app.services(), run, samples, repeat=options.repeat)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    app.workers().start(run.run_id, concurrency=options.concurrency, limits=options.limits)
    session.READ_REPORT.set((run.run_id, report))
    address.select_run(run.run_id)
    st.rerun()


def read_report(run: Run) -> None:
    """Draw what was left out when the run's file was read, as long as this session remembers it."""
    remembered = session.READ_REPORT.get()
    if remembered is None or remembered[0] != run.run_id:
        return
    report = remembered[1]
    if report.problem_count:
        lines = [fmt.literal(str(problem)) for problem in report.problems[:_SHOWN_PROBLEMS]]
        more = report.problem_count - len(lines)
        text = f"{fmt.plural(report.problem_count, 'row')} left out: " + "; ".join(lines)
        st.info(text + (f"; and {fmt.count(more)} more" if more > 0 else ""), icon=":material/warning:")
    for warning, number in report.warnings.items():
        st.caption(f"{fmt.literal(warning)} ({fmt.plural(number, 'time')})")
    for note in report.notes:
        st.caption(fmt.literal(note))


def _preview_row(row: Sample | RowProblem) -> dict[str, object]:
    if isinstance(row, RowProblem):
        return {"problem": str(row), "answer": row.preview}
    return {
        "question": _cut(row.question or ""),
        "answer": _cut(row.answer),
        "n": len(row.chunks),
        "first": _cut(row.chunks[0].text) if row.chunks else "",
        "segment": row.segment,
        "key": row.key,
    }


def _cut(text: str) -> str:
    return text if len(text) <= _PREVIEW_CHARACTERS else text[:_PREVIEW_CHARACTERS] + "…"


_THRESHOLD_HELP = "An answer is faithful if at least this share of its claims is supported and none is contradicted."
