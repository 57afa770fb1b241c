"""The head of the overview: the newest score, the next step, and the finding in one sentence."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.run import RunSummary
from faithview.domain.views import View
from faithview.services.changes.step_tests import find_step
from faithview.ui.overview.notices import Notice
from faithview.ui.parts import corrected_score, empty_state
from faithview.ui.parts.share import share
from faithview.ui.parts.view_switch import view_note
from faithview.ui.shell import address, app, nav, shell_line
from faithview.wording import numbers as fmt
from faithview.wording import run_findings
from faithview.wording.live import SAMPLE_HELP, sample_words
from faithview.wording.score_help import SCORE_HELP


def draw_score(line: shell_line.ShellLine, summaries: Sequence[RunSummary]) -> None:
    """Draw the newest score in the shell line; nothing where answers were saved one at a time."""
    latest = run_findings.latest_scored(summaries)
    if latest is not None and not empty_state.is_one_at_a_time():
        shell_line.draw_score(line, latest.score, SCORE_HELP)
        if (sampled := sample_words(latest)) is not None:
            line.note.caption(fmt.literal(sampled), help=SAMPLE_HELP)


def draw_next_step(line: shell_line.ShellLine, summaries: Sequence[RunSummary], notices: Sequence[Notice]) -> None:
    """Draw the button that leads on: to what needs attention most, else to the newest run's answers, worst first."""
    latest = run_findings.latest_scored(summaries)
    if notices:
        action, page, link = notices[0].step, notices[0].page, dict(notices[0].parameters)
    elif latest is not None:
        action, page, link = "Inspect the worst answers", nav.INSPECT, dict(address.link(latest.run.run_id))
    else:
        return
    if line.next_step.button(action, type="primary", key="overview.next"):
        st.switch_page(page, query_params=link)


def draw_finding(
    line: shell_line.ShellLine, summaries: Sequence[RunSummary], notices: Sequence[Notice], view: View
) -> None:
    """Draw the latest score, whether anything needs attention, and whether people have checked the judge on it."""
    if view is View.CORRECTED and all(s.score.mean is None for s in summaries):
        corrected_score.nothing_corrected()
        return
    if empty_state.is_one_at_a_time():
        st.markdown(f"**{fmt.plural(len(summaries), 'answer')}**, checked and saved one at a time.")
        return
    verb = fmt.verb(len(notices), "needs", "need")
    attention = f"**{fmt.plural(len(notices), 'thing')} {verb} attention.**" if notices else "Nothing needs attention."
    latest = run_findings.latest_scored(summaries)
    before = None if latest is None else run_findings.previous(latest, summaries)
    # A corrected score is an estimate for a whole run, so there are no pairs to test.
    is_tested = latest is not None and before is not None and view is not View.CORRECTED
    step = find_step(app.services(), before, latest, view=view) if is_tested and before and latest else None
    found = run_findings.overview_finding(summaries, step)
    st.markdown(f"{found} {attention} {view_note(view)}")
    with line.next_step:
        share(
            found,
            parameters={**address.series_link(summaries[0].run.series), **address.view_link(view)},
            key="overview.share",
        )
    if latest is not None and view is View.JUDGE:
        corrected_score.who_checked(latest.run)
