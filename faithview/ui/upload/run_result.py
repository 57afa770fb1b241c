"""What a finished run has found, and where to go from there: its worst answer, and the run before it."""

import streamlit as st

from faithview.domain.run import Run, RunStatus
from faithview.domain.scoring import find_worst_claim
from faithview.domain.views import AnswerFilter, Order
from faithview.services.comparison.baselines import find_previous
from faithview.services.results.answers import get_answer, list_answers
from faithview.services.results.runs import get_summary
from faithview.ui.parts.judge_choice import caution_line
from faithview.ui.parts.share import share
from faithview.ui.runs.run_menu import run_menu
from faithview.ui.shell import address, app, nav
from faithview.ui.shell.shell_line import ShellLine, draw_score
from faithview.wording import numbers as fmt
from faithview.wording.judge_errors import NOT_CORRECT
from faithview.wording.run_findings import run_finding, shared_finding
from faithview.wording.score_help import SCORE_HELP


def run_result(run: Run, line: ShellLine) -> None:
    """Draw the finding of a complete run with its score, and the buttons that lead on; nothing for another one."""
    if run.status is not RunStatus.COMPLETE:
        return
    services = app.services()
    summary = get_summary(services, run.run_id)
    draw_score(line, summary.score, SCORE_HELP)
    score = f"Faithfulness is **{fmt.score(summary.score)}**. " if summary.score.mean is not None else ""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(score + run_finding(summary), width="stretch")
        run_menu(summary.run, page="upload")
        share(shared_finding(summary), parameters=address.link(run.run_id), key="upload.share")
    if left_out := fmt.left_out(summary.states):
        st.caption(f"Not in the score: {left_out}.")
    caution_line(run.judge, before=NOT_CORRECT)
    previous = find_previous(services, run)
    with line.next_step:
        if st.button("Inspect the worst", type="primary", icon=":material/find_in_page:", key="upload.worst_first"):
            st.switch_page(nav.INSPECT, query_params=_worst_claim_link(run.run_id))
        if previous is not None and st.button(
            f"Compare with {fmt.literal(previous.name)}", icon=":material/compare_arrows:", key="upload.compare"
        ):
            st.switch_page(nav.COMPARE, query_params=address.pair_link(previous.run_id, run.run_id))


def _worst_claim_link(run_id: str) -> dict[str, str]:
    """Return the address of the claim to look at first, with its evidence marked; of its answer where it has none."""
    services = app.services()
    rows = list_answers(services, run_id, AnswerFilter(), order=Order.HARM, limit=1).rows
    if not rows:
        return address.link(run_id)
    answer = get_answer(services, run_id, rows[0].key)
    return address.link(run_id, rows[0].key, find_worst_claim(answer.result.claims))
