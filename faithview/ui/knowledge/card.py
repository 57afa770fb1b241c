"""What changed in the knowledge base between two compared runs, in a line that leads to the page about it."""

import streamlit as st

from faithview.domain.views import View
from faithview.services.comparison.comparison import Comparison
from faithview.services.knowledge.changes import compare_knowledge, has_update
from faithview.ui.knowledge.headline import finding
from faithview.ui.knowledge.page_data import compare_link
from faithview.ui.shell import app, nav


def knowledge_card(comparison: Comparison) -> None:
    """Draw the finding on the knowledge base and the way to its documents; nothing where both runs used one version."""
    if not has_update(comparison):
        return
    # The corrected score is about whole runs: claims are counted by the verdicts that people settled on.
    view = View.JUDGE if comparison.view is View.JUDGE else View.REVIEWED
    before, after = comparison.baseline, comparison.candidate
    with st.spinner("Comparing the two knowledge bases", show_time=False):
        changes = compare_knowledge(app.services(), before.run_id, after.run_id, view=view)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", border=True):
        st.markdown(f":material/library_books: :small[Knowledge base {finding(changes)}]", width="stretch")
        if st.button("Changed documents", key="compare.documents"):
            st.switch_page(nav.KNOWLEDGE, query_params=compare_link(changes))
