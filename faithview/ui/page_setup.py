"""The set-up before any page is drawn: title, logo and styles, who may look, and the store."""

import os
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.pages_manager import PagesManager

from faithview.domain.errors import InvalidInput, NotFound
from faithview.hosts import read_hosts
from faithview.services.projects import refuse_without_login
from faithview.settings import ALLOWED_HOSTS_VARIABLE
from faithview.ui import identity, membership, opened_store, session
from faithview.ui.membership import is_login_on, verified_email
from faithview.ui.opened_store import explaining, store
from faithview.ui.serving.gate import allow_uploads
from faithview.ui.theme import SIDEBAR_WIDTH, custom_properties
from faithview.wording import numbers as fmt

# The mark; the style sheet of the page writes the product's name next to it.
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="7" fill="#1d5bb8"/>'
    '<path d="M9 13.5l5 5 9-10" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" '
    'stroke-linejoin="round"/>'
    '<path d="M8 24.5h16" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-dasharray="7 3.5"/></svg>'
)

_BROKEN = (
    "The definition of this server's project in the secrets file is missing or invalid, so no user can open it. "
    "Correct it, then reload this page; `faithview ui` says what is wrong when it starts."
)
_PAGE_STYLES = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
_STYLES = f"<style>{custom_properties()}\n{_PAGE_STYLES}</style>"


def configure() -> None:
    """Set up the page; show a message and stop if this user may not see it."""
    st.set_page_config(page_title="FaithView", page_icon=ICON, layout="wide", initial_sidebar_state=SIDEBAR_WIDTH)
    st.html(_STYLES)
    st.logo(ICON, size="large")
    _check_host()
    _load_secrets()
    _refuse_without_login()
    try:
        membership.served_project()
    except (InvalidInput, NotFound):
        st.error(_BROKEN, icon=":material/error:")
        st.stop()


def require_app() -> None:
    """Run app.py in place of the page's file alone; every page calls it first.

    `streamlit run app.py` takes `pages/` for its older kind of multipage app until a session calls `st.navigation`:
    a link to a page, opened first, runs the page's file without what is set up above it.
    """
    if not session.PAGE.is_set():
        PagesManager.uses_pages_directory = False
        st.rerun()


def open_store(top: DeltaGenerator, foot: DeltaGenerator) -> None:
    """Open the store; show a message and stop if it cannot be used, or not by the session's person.

    Args:
        top: where the sidebar shows the project.
        foot: where the sidebar shows who is logged in.
    """
    if (reason := membership.outside()) is not None:
        allow_uploads(False)
        identity.draw_person(foot)
        st.title("No access", anchor=False)
        st.text("Log in first, in the sidebar." if is_login_on() and verified_email() is None else reason)
        st.stop()
    if (project := membership.served_project()) is not None:
        top.caption(f"Project: {fmt.literal(project.title)}")
    with explaining():
        opened_store.open_store()
    identity.note_log_in()
    allow_uploads(identity.can_run())
    if store().is_read_only:
        top.caption("This store can only be read.")


def _check_host() -> None:
    """Stop for an unknown host name, as the gate does, if app.py was started with Streamlit's own command."""
    host = st.context.headers.get("Host")
    if host is not None and not read_hosts(os.environ.get(ALLOWED_HOSTS_VARIABLE)).answers_to(host):
        st.error(f"FaithView does not accept this host name. If it is yours, add it to {ALLOWED_HOSTS_VARIABLE}.")
        st.stop()


def _load_secrets() -> None:
    """Put the secrets' entries into the environment, where judges (and the processes that judge runs) read their keys.

    Nothing else reads or stores them. A file that cannot be read may require a log-in, so no user gets in then.
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
