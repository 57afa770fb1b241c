"""Sources: which chunks and documents do unsupported claims come from?"""

import streamlit as st

from faithview.ui.inspect import answer_panel
from faithview.ui.parts import empty_state
from faithview.ui.parts.view_switch import view_switch
from faithview.ui.shell import identity
from faithview.ui.sources import chunk_board

identity.sidebar()
chooser, switch = st.columns([3, 1], vertical_alignment="center")
with chooser:
    run = answer_panel.choose_run()
if run is None:
    st.title("Sources", anchor=False)
    empty_state.no_runs("This page will show which chunks and documents their unsupported claims come from.")
    st.stop()

with switch:
    view = view_switch()
loaded = chunk_board.load(run, view)
chunk_board.finding(loaded)
chunk_board.controls(loaded)
left, right = st.columns([1, 1], gap="medium")
with left:
    item = chunk_board.choose(loaded)
with right:
    if item is not None:
        chunk_board.source(loaded, item)
