"""Starts Streamlit for app.py: `python -m faithview.ui.shell.server run app.py ...`, with Streamlit's own options.

Streamlit takes a folder `pages/` beside the script for its older kind of multipage app until a first session has called
`st.navigation`. A deep link on a fresh server therefore showed "Page not found" over the right page (seen with 1.67.0,
`script_runner._mpa_v1`). This module switches the older kind off before the first session.
"""

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.cli import main

if __name__ == "__main__":
    PagesManager.uses_pages_directory = False
    main(prog_name="faithview.ui.shell.server")
