"""What went wrong while the run was judged, under its figures: errors, repairs, and claims that cannot be checked."""

import streamlit as st

from faithview.domain.run import RunSummary
from faithview.services.results.troubles import RunTroubles, list_troubles
from faithview.ui.shell import app
from faithview.wording import numbers as fmt
from faithview.wording.troubles import SHOWN_GAPS, failed_words, gap_words, repaired_words, retry_words, weak_words


def run_troubles(summary: RunSummary) -> None:
    """Draw errors, what is missing, claims that cannot be checked, and repairs; nothing where nothing went wrong."""
    troubles = list_troubles(app.services(), summary.run.run_id)
    repaired = ""
    if troubles.repaired:
        repairs = [(repair.text, repair.answers) for repair in troubles.repairs]
        repaired = f"Replies of the judge were repaired {repaired_words(troubles.repaired, repairs)}."
    if troubles.errors:
        _errors(summary, troubles, repaired)
    elif repaired:
        st.caption(fmt.literal(repaired))
    lines = [gap_words(gap.text, gap.answers) for gap in troubles.gaps[:SHOWN_GAPS]]
    lines += [weak_words(weak.weakness, weak.claims, weak.answers) for weak in troubles.weak]
    for line in lines:
        st.caption(f":material/warning: {fmt.literal(line)}")


def _errors(summary: RunSummary, troubles: RunTroubles, repaired: str) -> None:
    words = failed_words(troubles.failed, summary.rows, len(troubles.errors))
    with st.expander(f":material/error: {words}"):
        for trouble in troubles.errors:
            # As plain text: a server's words are data.
            st.text(f"{fmt.plural(trouble.answers, 'answer')}: {trouble.text}")
        st.caption(f"{retry_words(summary.run.run_id)}.")
        if repaired:
            st.caption(fmt.literal(repaired))
