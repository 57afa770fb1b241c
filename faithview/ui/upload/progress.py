"""A run under way: its progress, cancel and resume, the worst answers so far; and in the end what it has found."""

import time

import streamlit as st

from faithview.domain.answer import AnswerFilter, AnswerRow, Order, Progress, View
from faithview.domain.run import Run, RunStatus
from faithview.services.comparison.baselines import find_previous
from faithview.services.results import cancel_run, get_progress, get_run, get_summary
from faithview.store.answers import list_answers
from faithview.ui import address, identity, navigation, opened_store, service_calls, session
from faithview.ui.address import go
from faithview.ui.reader.payload import fault_words
from faithview.ui.tables import click_table
from faithview.ui.widgets.first_line import FirstLine, draw_score
from faithview.ui.widgets.run_menu import run_menu
from faithview.wording import numbers as fmt
from faithview.wording.figure_help import SCORE_HELP
from faithview.wording.findings import NOT_CORRECT, run_finding
from faithview.wording.runs import progress_line
from faithview.wording.verdict_styles import VERDICT_LABELS

_UNFINISHED = (RunStatus.RUNNING, RunStatus.PENDING)
_WORKER_START_S = 8.0  # a worker needs a moment until it has taken a run
_WORKER_END_S = 15.0  # and, once it has stopped a run, until it has ended
_SHOWN_PROBLEMS = 5
_WORST_ROWS = 8


def read_report(run: Run) -> None:
    """Draw which rows of the file were left out, as long as this session remembers it."""
    remembered = session.READ_REPORT.get()
    if remembered is None or remembered[0] != run.run_id:
        return
    report = remembered[1]
    if report.problem_count:
        lines = [fmt.literal(str(problem)) for problem in report.problems[:_SHOWN_PROBLEMS]]
        more = report.problem_count - len(lines)
        text = f"{fmt.plural(report.problem_count, 'row')} left out: " + "; ".join(lines)
        st.info(text + (f"; and {fmt.count(more)} more" if more > 0 else ""), icon=":material/warning:")
    for warning, number in list(report.warnings.items()):  # a large file may still be read
        st.caption(f"{fmt.literal(warning)} ({fmt.plural(number, 'time')})")
    for note in report.notes:
        st.caption(fmt.literal(note))


def watch(run: Run) -> None:
    """Draw the progress, read from the store every second while the run is unfinished."""
    # A worker that died cannot say so in the store, where the run counts as running until the worker's lease ends.
    is_unfinished = run.status in _UNFINISHED and opened_store.workers().find_error(run.run_id) is None
    st.fragment(_progress, run_every=1.0 if is_unfinished else None)(run.run_id, is_unfinished)


@opened_store.explaining()
def _progress(run_id: str, was_unfinished: bool) -> None:
    progress = get_progress(opened_store.store(), run_id)
    error = opened_store.workers().find_error(run_id)
    if was_unfinished and (error or progress.status not in _UNFINISHED):
        st.rerun()
    st.progress(progress.done / progress.total if progress.total else 0.0, text=progress_line(progress))
    if error or progress.error:
        st.error(fmt.literal(error or progress.error or ""), icon=":material/error:")
    with st.container(horizontal=True):
        _controls(run_id, progress, has_died=error is not None)
    _worst_so_far(run_id, is_finished=progress.status is RunStatus.COMPLETE)


def _controls(run_id: str, progress: Progress, *, has_died: bool) -> None:
    is_running = progress.status is RunStatus.RUNNING and not has_died
    can_resume = progress.done < progress.total and (has_died or progress.status not in _UNFINISHED)
    if st.button("Open the run", icon=":material/find_in_page:", key="upload.open"):
        st.switch_page(navigation.ANSWERS, query_params=address.link(run_id))
    if (
        is_running
        and st.button("Cancel", icon=":material/stop:", key="upload.cancel")
        and service_calls.allow(identity.why_cannot_run())
    ):
        cancel_run(opened_store.store(), run_id)
        st.toast("The run stops after the answers in progress. Judged answers are kept.")
    if (
        can_resume
        and st.button("Resume", type="primary", icon=":material/play_arrow:", key="upload.resume")
        and service_calls.allow(identity.why_cannot_run())
    ):
        _resume(run_id)
    if st.button("Judge another file", icon=":material/upload_file:", key="upload.another"):
        go(run=None)
        st.rerun()


def _resume(run_id: str) -> None:
    opened_store.workers().start(run_id, ending_seconds=_WORKER_END_S)
    deadline = time.monotonic() + _WORKER_START_S
    while time.monotonic() < deadline and get_run(opened_store.store(), run_id).status is not RunStatus.RUNNING:
        if not opened_store.workers().is_working(run_id):
            break
        time.sleep(0.1)
    st.rerun()


def _worst(run_id: str, *, limit: int) -> list[AnswerRow]:
    db = opened_store.store().db
    page = list_answers(db, run_id, AnswerFilter(), view=View.REVIEWED, order=Order.HARM, limit=limit)
    return [row for row in page.rows if row.worst is not None]


def _link(run_id: str, row: AnswerRow) -> dict[str, str]:
    return address.link(run_id, row.key, None if row.worst is None else row.worst.number)


def _worst_so_far(run_id: str, *, is_finished: bool) -> None:
    rows = _worst(run_id, limit=_WORST_ROWS)
    if not rows:
        return
    st.caption("The worst answers" if is_finished else "The worst answers so far")
    number = click_table(
        [
            {"wrong": fault_words(row.worst), "verdict": VERDICT_LABELS[row.worst.verdict.value], "asked": row.question}
            for row in rows
            if row.worst is not None
        ],
        {
            "wrong": st.column_config.TextColumn("What is wrong", width=420),
            "verdict": st.column_config.TextColumn("Verdict", width=150),
            "asked": st.column_config.TextColumn("Question", width=420),
        },
        # Rows are added during the run; a click refers to the rows as they were.
        key=f"upload.worst.{run_id}.{'.'.join(row.key for row in rows)}",
        alt="The answers with the most harmful claims, the worst first.",
    )
    if number is not None:
        st.switch_page(navigation.ANSWERS, query_params=_link(run_id, rows[number]))


def run_result(run: Run, line: FirstLine) -> None:
    """Draw the finding of a complete run with its score, and the buttons that lead on; nothing for another one."""
    if run.status is not RunStatus.COMPLETE:
        return
    store = opened_store.store()
    summary = get_summary(store, run.run_id)
    draw_score(line, summary.score, SCORE_HELP)
    score = f"Faithfulness is **{fmt.score(summary.score)}**. " if summary.score.mean is not None else ""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(score + run_finding(summary), width="stretch")
        run_menu(summary.run, page="upload")
    if left_out := fmt.left_out(summary.states):
        st.caption(f"Not in the score: {left_out}.")
    st.caption(NOT_CORRECT)
    previous = find_previous(store, run)
    with line.next_step:
        if st.button("Inspect the worst", type="primary", icon=":material/find_in_page:", key="upload.worst_first"):
            worst = _worst(run.run_id, limit=1)
            link = _link(run.run_id, worst[0]) if worst else address.link(run.run_id)
            st.switch_page(navigation.ANSWERS, query_params=link)
        if previous is not None and st.button(
            f"Compare with {fmt.literal(previous.name)}", icon=":material/compare_arrows:", key="upload.compare"
        ):
            st.switch_page(navigation.CHANGES, query_params=address.pair_link(previous.run_id, run.run_id))
