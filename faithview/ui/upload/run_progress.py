"""A run under way: its progress, cancel and resume, the worst answers so far; and in the end what it has found."""

import time
from typing import Literal

import streamlit as st

from faithview.domain.answer import AnswerFilter, Order, Progress
from faithview.domain.errors import NotFound
from faithview.domain.run import Run, RunStatus
from faithview.domain.scoring import find_worst_claim
from faithview.services.comparison.baselines import find_previous
from faithview.services.results import cancel_run, get_progress, get_run, get_summary
from faithview.store.answers import list_answers
from faithview.store.results import get_answer
from faithview.ui import address, identity, navigation, opened_store, service_calls, session
from faithview.ui.widgets.answer_list import answer_list, build_rows
from faithview.ui.widgets.first_line import FirstLine, draw_score, first_line
from faithview.ui.widgets.judge_choice import caution_line
from faithview.ui.widgets.run_menu import run_menu
from faithview.ui.widgets.selection import forget_choice
from faithview.wording import numbers as fmt
from faithview.wording.figure_help import SCORE_HELP
from faithview.wording.findings import NOT_CORRECT, run_finding
from faithview.wording.runs import progress_line

_UNFINISHED = (RunStatus.RUNNING, RunStatus.PENDING)
_WORKER_START_S = 8.0  # a worker needs a moment until it has taken a run
_WORKER_END_S = 15.0  # and, once it has stopped a run, until it has ended
_SHOWN_PROBLEMS = 5
_WORST_ROWS = 8


def find_run() -> Run | None:
    """Return the run that the address names; None, with a message for an unknown one, where there is none."""
    reference = st.query_params.get("run")
    if reference is None:
        return None
    try:
        return get_run(opened_store.store(), reference)
    except NotFound:
        st.info(f"There is no run {fmt.literal(reference)} in this store.", icon=":material/link_off:")
        return None


def heading(run: Run) -> FirstLine:
    """Draw the run's name and what it is made of, and return the first line."""
    line = first_line(run.name)
    line.what.caption(fmt.literal(fmt.run_line(run, with_status=False)))
    if run.repeats:
        st.caption(f"Its answers are judged again in {fmt.plural(len(run.repeats), 'further run')}.")
    return line


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
    store = opened_store.store()
    kind: Literal["primary", "secondary"] = "secondary" if progress.status is RunStatus.COMPLETE else "primary"
    if st.button("Open the run", type=kind, icon=":material/find_in_page:", key="upload.open"):
        st.switch_page(navigation.ANSWERS, query_params=address.link(run_id))
    is_running = progress.status is RunStatus.RUNNING and not has_died
    can_resume = progress.done < progress.total and (has_died or progress.status not in _UNFINISHED)
    if (
        is_running
        and st.button("Cancel", icon=":material/stop:", key="upload.cancel")
        and service_calls.allow(identity.why_cannot_run())
    ):
        cancel_run(store, run_id)
        st.toast("The run stops after the answers in progress. Judged answers are kept.")
    if (
        can_resume
        and st.button("Resume", icon=":material/play_arrow:", key="upload.resume")
        and service_calls.allow(identity.why_cannot_run())
    ):
        _resume(run_id)
    if st.button("Judge another file", icon=":material/upload_file:", key="upload.another"):
        address.forget_run()
        st.rerun()


def _resume(run_id: str) -> None:
    opened_store.workers().start(run_id, ending_seconds=_WORKER_END_S)
    deadline = time.monotonic() + _WORKER_START_S
    while time.monotonic() < deadline and get_run(opened_store.store(), run_id).status is not RunStatus.RUNNING:
        if not opened_store.workers().is_working(run_id):
            break
        time.sleep(0.1)
    st.rerun()


def _worst_so_far(run_id: str, *, is_finished: bool) -> None:
    page = list_answers(opened_store.store().db, run_id, AnswerFilter(), order=Order.HARM, limit=_WORST_ROWS)
    rows = [row for row in page.rows if row.faithfulness is not None and row.faithfulness < 1]
    if not rows:
        return
    st.caption("The worst answers" if is_finished else "The worst answers so far")
    chosen = answer_list(build_rows(rows), key="upload.worst", selected=None, height=320)
    if chosen is not None:
        forget_choice("upload.worst")
        st.switch_page(navigation.ANSWERS, query_params=address.link(run_id, chosen))


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
    caution_line(run.judge, before=NOT_CORRECT)
    previous = find_previous(store, run)
    with line.next_step:
        if st.button("Inspect the worst", type="primary", icon=":material/find_in_page:", key="upload.worst_first"):
            st.switch_page(navigation.ANSWERS, query_params=_worst_claim_link(run.run_id))
        if previous is not None and st.button(
            f"Compare with {fmt.literal(previous.name)}", icon=":material/compare_arrows:", key="upload.compare"
        ):
            st.switch_page(navigation.CHANGES, query_params=address.pair_link(previous.run_id, run.run_id))


def _worst_claim_link(run_id: str) -> dict[str, str]:
    """Return the address of the claim to look at first, with its evidence marked; of its answer where it has none."""
    store = opened_store.store()
    rows = list_answers(store.db, run_id, AnswerFilter(), order=Order.HARM, limit=1).rows
    if not rows:
        return address.link(run_id)
    answer = get_answer(store.db, run_id, rows[0].key)
    return address.link(run_id, rows[0].key, find_worst_claim(answer.result.claims))
