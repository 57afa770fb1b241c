"""Sources: which chunks and documents do unsupported claims come from?"""

import streamlit as st

from faithview.ui import reviewer
from faithview.ui.components.view_switch import view_switch
from faithview.ui.sections import empty, inspect, sources

reviewer.sidebar()
chooser, switch = st.columns([3, 1], vertical_alignment="center")
with chooser:
    run = inspect.choose_run()
if run is None:
    st.title("Sources", anchor=False)
    empty.no_runs("This page will show which chunks and documents their unsupported claims come from.")
    st.stop()

with switch:
    view = view_switch()
loaded = sources.load(run, view)
sources.finding(loaded)
sources.controls(loaded)
left, right = st.columns([1, 1], gap="medium")
with left:
    item = sources.choose(loaded)
with right:
    if item is not None:
        sources.source(loaded, item)
