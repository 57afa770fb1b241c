"""Sources: which chunks and documents do unsupported claims come from?"""

import streamlit as st

from faithview.ui.parts import empty_state
from faithview.ui.parts.run_picker import choose_run
from faithview.ui.parts.view_switch import view_switch
from faithview.ui.shell import identity
from faithview.ui.shell.shell_line import shell_line
from faithview.ui.sources.board_data import load_board_data
from faithview.ui.sources.headline import draw_finding, draw_next_step
from faithview.ui.sources.source_list import choose_fault, choose_source
from faithview.ui.sources.source_panel import source_panel

# Narrower than this a list stands above what it opens.
_LIST_WIDTH = 520

identity.sidebar()
shell = shell_line("Sources")
run = choose_run(shell)
if run is None:
    empty_state.no_runs("This page will show which chunks and documents their unsupported claims come from.")
    st.stop()

with shell.view:
    view = view_switch()
loaded = load_board_data(run, view)
with shell.next_step:
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
