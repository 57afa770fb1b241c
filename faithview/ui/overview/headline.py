"""The head of the overview: the finding in one sentence, and how many things need attention."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.run import RunSummary
from faithview.domain.views import View
from faithview.ui.overview.notices import Notice
from faithview.ui.parts import corrected_score, empty_state
from faithview.ui.parts.view_switch import view_note
from faithview.wording import numbers as fmt
from faithview.wording import run_findings


def draw_finding(summaries: Sequence[RunSummary], notices: Sequence[Notice], view: View) -> None:
    """Draw the latest score, whether anything needs attention, and whether people have checked the judge on it."""
    if view is View.CORRECTED and all(s.score.mean is None for s in summaries):
        corrected_score.nothing_corrected()
        return
    if empty_state.is_one_at_a_time():
        st.markdown(f"**{fmt.plural(len(summaries), 'answer')}**, checked and saved one at a time.")
        return
    verb = fmt.verb(len(notices), "needs", "need")
    attention = f"**{fmt.plural(len(notices), 'thing')} {verb} attention.**" if notices else "Nothing needs attention."
    st.markdown(f"{run_findings.overview_finding(summaries)} {attention} {view_note(view)}")
    latest = run_findings.latest_scored(summaries)
    if latest is not None and view is View.JUDGE:
        corrected_score.who_checked(latest.run)
