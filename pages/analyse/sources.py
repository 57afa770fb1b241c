"""Sources: which chunks and documents do unsupported claims come from?"""

import streamlit as st

from faithview.ui import identity
from faithview.ui.sources import (
    choose_fault,
    choose_source,
    draw_finding,
    draw_next_step,
    load_board_data,
    source_panel,
)
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import choose_run, first_line, view_switch

# Narrower than this a list stands above what it opens.
_LIST_WIDTH = 520

identity.sidebar()
line = first_line("Sources")
run = choose_run(line)
if run is None:
    empty_state.no_runs("This page will show which chunks and documents their unsupported claims come from.")
    st.stop()

with line.view:
    view = view_switch()
loaded = load_board_data(run, view)
with line.next_step:
    draw_next_step(loaded)
draw_finding(loaded)
if not loaded.board.claims:
    st.stop()
choose_fault(loaded)
with st.container(horizontal=True, gap="medium"):
    left, right = st.container(width=_LIST_WIDTH), st.container(width="stretch")
with left:
    source = choose_source(loaded)
with right:
    if source is not None:
        source_panel(loaded, source)
