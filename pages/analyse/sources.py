"""Sources: which chunks and documents do unsupported claims come from?"""

import streamlit as st

from faithview.ui.parts import empty_state
from faithview.ui.parts.run_picker import choose_run
from faithview.ui.parts.view_switch import view_switch
from faithview.ui.shell import identity
from faithview.ui.sources.board_data import load_board_data
from faithview.ui.sources.headline import draw_finding
from faithview.ui.sources.source_list import choose_fault, choose_source
from faithview.ui.sources.source_panel import source_panel

identity.sidebar()
chooser, switch = st.columns([3, 1], vertical_alignment="center")
with chooser:
    run = choose_run()
if run is None:
    st.title("Sources", anchor=False)
    empty_state.no_runs("This page will show which chunks and documents their unsupported claims come from.")
    st.stop()

with switch:
    view = view_switch()
loaded = load_board_data(run, view)
draw_finding(loaded)
choose_fault(loaded)
left, right = st.columns([1, 1], gap="medium")
with left:
    source = choose_source(loaded)
with right:
    if source is not None:
        source_panel(loaded, source)
