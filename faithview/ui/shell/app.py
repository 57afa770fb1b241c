"""What every page needs: the browser's title, the services, and the message when the store cannot be opened."""

import os
from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from faithview.domain.errors import InvalidInput
from faithview.hosts import read_hosts
from faithview.services.projects.secrets_file import refuse_without_login
from faithview.services.runs.worker_process import Workers
from faithview.settings import ALLOWED_HOSTS_VARIABLE, Settings
from faithview.ui.components.component_files import FRONTEND
from faithview.ui.shell import identity, logo
from faithview.ui.shell.projects import switch
from faithview.ui.shell.projects.log_in import acting_person
from faithview.ui.shell.serving import opened_store
from faithview.ui.shell.serving.opened_store import explaining, services, settings, store_key
from faithview.ui.shell.uploads import permission

__all__ = ["configure", "explaining", "open_store", "services", "settings", "store_key", "workers", "workers_over"]

# Streamlit's settings can choose every padding but the horizontal one.
_STYLES = FRONTEND / "page.css"
# As narrow as the longest name of a page allows: answers and chunks need the room.
_SIDEBAR_WIDTH = 220


def configure() -> None:
    """Set up the page; show a message and stop where nobody may look at it."""
    st.set_page_config(page_title="FaithView", page_icon=logo.ICON, layout="wide", initial_sidebar_state=_SIDEBAR_WIDTH)
    st.html(_STYLES)
    st.logo(logo.WORDMARK, icon_image=logo.ICON, size="large")
    _check_host()
    _load_secrets()
    _refuse_without_login()
    switch.enter_project()


def open_store() -> None:
    """Open the store; show a message and stop if it is gone or cannot be used, or if this is nobody's project."""
    switch.draw_project()
    with explaining():
        opened_store.open_store()
    identity.note_log_in()
    permission.allow_uploads(identity.can_run())
    if services().is_read_only:
        st.sidebar.caption("This store can only be read.")


def _check_host() -> None:
    """Stop under a stranger's name, as the gate does, where somebody starts app.py with Streamlit's own command."""
    host = st.context.headers.get("Host")
    if host is not None and not read_hosts(os.environ.get(ALLOWED_HOSTS_VARIABLE)).answers_to(host):
        st.error(f"FaithView does not answer to this name. Add it to {ALLOWED_HOSTS_VARIABLE} if it is yours.")
        st.stop()


def _load_secrets() -> None:
    """Put the secrets' entries into the environment, where judges (and the processes that judge runs) read their keys.

    Nothing else reads or stores them. A file that cannot be read may describe a log-in, so that nobody gets in then.
    """
    try:
        len(st.secrets)
    except (StreamlitSecretNotFoundError, OSError, UnicodeDecodeError):
        if any(Path(file).exists() for file in st.get_option("secrets.files")):
            st.error("The secrets file cannot be read. Correct it, then reload this page.", icon=":material/error:")
            st.stop()


def _refuse_without_login() -> None:
    """Show nothing but the reason where log-in is required and its description is missing, as when the server starts.

    Streamlit's own command starts app.py without asking, and a description can go while the server runs.
    """
    try:
        secrets = st.secrets.to_dict()
    except (StreamlitSecretNotFoundError, OSError, UnicodeDecodeError):  # there is none, or it has gone
        secrets = {}
    try:
        refuse_without_login(secrets)
    except InvalidInput as error:
        st.error(str(error), icon=":material/error:")
        st.stop()


def workers() -> Workers:
    """Return the worker processes of this session's store; all its sessions share them."""
    return workers_over(settings())


def workers_over(store: Settings) -> Workers:
    """Return the worker processes of a store."""
    return _workers(store.database_url)


@st.cache_resource(show_spinner=False)
def _workers(database_url: str) -> Workers:
    return Workers(database_url, who=acting_person)
