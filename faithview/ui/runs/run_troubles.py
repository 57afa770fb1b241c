"""What went wrong while the run was judged, under its figures: why answers failed, and what was repaired."""

import streamlit as st

from faithview.domain.run import RunSummary
from faithview.services.results.troubles import RunTroubles, list_troubles
from faithview.ui.shell import app
from faithview.wording import numbers as fmt
from faithview.wording.troubles import failed_words, repaired_words, retry_words


def run_troubles(summary: RunSummary) -> None:
    """Draw the errors with their counts, and what was repaired; nothing where nothing went wrong."""
    troubles = list_troubles(app.services(), summary.run.run_id)
    repaired = ""
    if troubles.repaired:
        repairs = [(repair.text, repair.answers) for repair in troubles.repairs]
        repaired = f"Replies of the judge were repaired {repaired_words(troubles.repaired, repairs)}."
    if troubles.errors:
        _errors(summary, troubles, repaired)
    elif repaired:
        st.caption(fmt.literal(repaired))


def _errors(summary: RunSummary, troubles: RunTroubles, repaired: str) -> None:
    words = failed_words(troubles.failed, summary.rows, len(troubles.errors))
    with st.expander(f":material/error: {words}"):
        for trouble in troubles.errors:
            # As plain text: a server's words are data.
            st.text(f"{fmt.plural(trouble.answers, 'answer')}: {trouble.text}")
        st.caption(f"{retry_words(summary.run.run_id)}.")
        if repaired:
            st.caption(fmt.literal(repaired))
