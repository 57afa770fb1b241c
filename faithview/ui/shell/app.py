"""What every page needs: the browser's title, the services, and the message when the store cannot be opened."""

from pathlib import Path

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.services.container import Services, build
from faithview.services.runs.worker_process import Workers
from faithview.settings import Settings
from faithview.ui.shell import logo

# Streamlit's settings can choose every padding but the horizontal one.
_STYLES = Path(__file__).with_name("page.css")
# The narrowest that Streamlit allows: answers and chunks need the room.
_SIDEBAR_WIDTH = 200


def configure() -> None:
    """Set up the page; show a message and stop if the store cannot be used."""
    st.set_page_config(page_title="FaithView", page_icon=logo.ICON, layout="wide", initial_sidebar_state=_SIDEBAR_WIDTH)
    st.html(_STYLES)
    st.logo(logo.WORDMARK, icon_image=logo.ICON, size="large")
    # Streamlit puts the entries of a secrets file into the environment, where judges (and the processes that judge
    # runs) read their keys. Nothing else reads or stores them.
    st.secrets.load_if_toml_exists()
    try:
        services()
    except FaithViewError as error:
        st.title("The store cannot be opened")
        st.text(str(error))
        st.caption("Choose another one with `faithview ui --db URL`, or look at it with `faithview db check`.")
        st.stop()


@st.cache_resource(on_release=lambda opened: opened.close())
def services() -> Services:
    """Return the services over the store that the environment names; one for all sessions."""
    return build(Settings.from_env())


@st.cache_resource
def workers() -> Workers:
    """Return the worker processes of this server; one for all sessions."""
    return Workers(Settings.from_env().database_url)
