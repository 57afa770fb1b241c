"""Settings: which store this is, what judges can run here, which rules raise alerts, and who did what."""

import streamlit as st

from faithview.ui import address, identity, navigation, page_setup
from faithview.ui.settings import alerts, audit
from faithview.ui.settings.installation import draw_judges, draw_store, draw_test, draw_versions
from faithview.ui.widgets.first_line import first_line

page_setup.require_app()

_TABS = {"installation": "Store and judges", navigation.ALERTS: "Alerts", navigation.AUDIT: "Audit"}

refusal = identity.why_cannot_audit()
offered = {tab: title for tab, title in _TABS.items() if refusal is None or tab != navigation.AUDIT}
if address.selected_tab(_TABS) == navigation.AUDIT:
    first_line("Settings", document="Audit", tabs=offered)
    if refusal is not None:
        st.info(refusal, icon=":material/lock:")
        st.stop()
    audit.draw_entries()
    st.stop()

if address.selected_tab(_TABS) == navigation.ALERTS:
    first_line("Settings", document="Alerts", tabs=offered)
    alerts.draw_rules()
    alerts.draw_webhook()
    st.stop()

first_line("Settings", tabs=offered)
draw_store()
draw_judges()
draw_test()
draw_versions()
