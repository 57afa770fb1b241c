"""Settings: which store this is, what judges can run here, what leaves the machine, and who did what."""

import streamlit as st

from faithview.ui import address, identity, navigation, page_setup
from faithview.ui.settings import audit
from faithview.ui.settings.installation import draw_judges, draw_store, draw_test, draw_versions
from faithview.ui.widgets.first_line import NO_TABS, first_line

page_setup.require_app()

_TABS = {"installation": "Store and judges", navigation.AUDIT: "Audit"}

refusal = identity.why_cannot_audit()
offered = _TABS if refusal is None else NO_TABS
if address.selected_tab(_TABS) == navigation.AUDIT:
    line = first_line("Settings", document="Audit", tabs=offered)
    if refusal is not None:
        st.info(refusal, icon=":material/lock:")
        st.stop()
    audit.draw_filters()
    audit.draw_entries(line)
    st.stop()

first_line("Settings", tabs=offered)
draw_store()
draw_judges()
draw_test()
draw_versions()
