"""What a page shows before there is data: what the page will show, and the buttons that lead there."""

import streamlit as st

from faithview.services.results.runs import count_runs
from faithview.ui.shell import app, nav, session


def has_runs() -> bool:
    """Return whether there is any run to show."""
    return count_runs(app.services()) > 0


def no_runs(what: str) -> None:
    """Explain what the page will show once there is a run, and lead to the pages that make one."""
    st.markdown(f"There are no runs yet. {what}")
    with st.container(horizontal=True):
        if st.button("Upload answers", type="primary", icon=":material/upload_file:", key="empty.upload"):
            st.switch_page(nav.UPLOAD)
        if st.button("Check one answer", icon=":material/fact_check:", key="empty.check"):
            st.switch_page(nav.CHECK)
    st.caption("To look around first, run `faithview demo`: it judges the bundled sample into a store of its own.")


def too_few_runs() -> None:
    """Explain that a comparison needs two runs, and lead to the page that makes one."""
    st.markdown(
        "A comparison needs two runs over the same questions. This page will say what changed between them, whether it "
        "is more than chance, and why."
    )
    if st.button("Upload answers", type="primary", icon=":material/upload_file:", key="empty.upload"):
        st.switch_page(nav.UPLOAD)
    st.caption("To look around first, run `faithview demo`: it judges the bundled sample into a store of its own.")


def nothing_matches(clear_keys: dict[str, object]) -> None:
    """Explain that no answer matches, and offer to clear the filters: `clear_keys` are their keys and defaults."""
    st.markdown("No answer matches these filters.")
    st.button(
        "Clear the filters",
        icon=":material/filter_alt_off:",
        key="empty.clear",
        on_click=session.set_widgets,
        args=(clear_keys,),
    )
