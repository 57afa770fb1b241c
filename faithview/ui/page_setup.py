"""What is set up before any page is drawn: title, logo and styles, who may look, the project, and the store."""

import os
from pathlib import Path
from typing import NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.pages_manager import PagesManager

from faithview.domain.errors import InvalidInput, NotFound
from faithview.hosts import read_hosts
from faithview.services.projects import refuse_without_login
from faithview.settings import ALLOWED_HOSTS_VARIABLE
from faithview.ui import identity, membership, opened_store, session
from faithview.ui.address import PROJECT
from faithview.ui.browser_memory import remember, remembered
from faithview.ui.frontend.component_files import read_script, read_styles
from faithview.ui.membership import is_login_on, verified_email
from faithview.ui.opened_store import explaining, store
from faithview.ui.serving import upload_receiver
from faithview.ui.theme import SIDEBAR_WIDTH, custom_properties
from faithview.wording import numbers as fmt

# The mark; the style sheet of the page writes the product's name beside it.
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="7" fill="#1d5bb8"/>'
    '<path d="M9 13.5l5 5 9-10" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" '
    'stroke-linejoin="round"/>'
    '<path d="M8 24.5h16" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-dasharray="7 3.5"/></svg>'
)

_mount = st.components.v2.component("faithview.project_address", js=read_script("project_address"))
_KEY = "shell.project"
_COOKIE = "faithview_project"
_BROKEN = (
    "The project definitions in the secrets file are invalid, so no user can open a project. `faithview doctor` "
    "says what is wrong. Correct it, then reload this page."
)


def enter_project() -> None:
    """Put a new session into the project of its address, else into the last one of this browser or the first.

    Draw why and stop where the description of the projects cannot be used.
    """
    try:
        named = PROJECT.get()
        if named is None and any(project.name == remembered(_COOKIE) for project in membership.open_projects()):
            named = remembered(_COOKIE)
        membership.enter(named)
    except (InvalidInput, NotFound):
        st.error(_BROKEN, icon=":material/error:")
        st.stop()


def draw_project(top: DeltaGenerator, foot: DeltaGenerator) -> None:
    """Draw the switch where there are several projects; say so and stop where the session's person gets into none."""
    if not membership.are_projects_on():
        return
    here, named = session.PROJECT.get(), PROJECT.get()
    open_to = {project.name: project for project in membership.open_projects()}
    if here not in open_to or (named is not None and named not in open_to):
        _refuse(named if named is not None else here, foot)
    chosen = session.NEXT_PROJECT.take()
    if chosen in open_to and chosen != here:
        _go_to(chosen, keeps_view=False)
    if named is not None and named != here:
        _go_to(named, keeps_view=True)
    with st.sidebar:
        _mount(key="project.address", height=1, data={"project": here, "opens": False, "keepsView": True})
    if len(open_to) > 1:
        remember(_COOKIE, here)
        session.set_widget(_KEY, here)
        top.selectbox(
            "Project",
            list(open_to),
            format_func=lambda name: open_to[name].title if name in open_to else "",
            key=_KEY,
            on_change=_choose,
            help="Projects are fully separate: each has its own runs, labels and members.",
        )
    else:
        top.caption(f"Project: {fmt.literal(open_to[here].title)}")


def _choose() -> None:
    session.NEXT_PROJECT.set(str(session.widget_value(_KEY)))


def _go_to(name: str, *, keeps_view: bool) -> NoReturn:
    """Open a project as a separate session: the browser reloads the page."""
    _mount(key=f"project.opens.{name}", height=1, data={"project": name, "opens": True, "keepsView": keeps_view})
    st.caption("Opening the project …")
    st.stop()


def _refuse(name: str | None, foot: DeltaGenerator) -> NoReturn:
    upload_receiver.allow_uploads(False)
    identity.draw_person(foot)
    st.title("No project", anchor=False)
    if is_login_on() and verified_email() is None:
        st.text("Log in first, in the sidebar.")
    else:
        st.text(membership.no_project(name))
        for project in membership.open_projects():
            if st.button(project.title, key=f"project.open.{project.name}", icon=":material/folder_open:"):
                _go_to(project.name, keeps_view=False)
    st.stop()


_STYLES = f"<style>{custom_properties()}\n{read_styles('page')}</style>"
_watch_theme = st.components.v2.component("faithview.theme_watch", js=read_script("theme_watch"))


def configure() -> None:
    """Set up the page; show a message and stop if this user may not see it."""
    st.set_page_config(page_title="FaithView", page_icon=ICON, layout="wide", initial_sidebar_state=SIDEBAR_WIDTH)
    st.html(_STYLES)
    st.logo(ICON, size="large")
    with st.container(key="shell-theme"):
        _watch_theme(
            key="shell.theme", data={"is_dark": st.context.theme.type == "dark"}, on_change_change=lambda: None
        )
    _check_host()
    _load_secrets()
    _refuse_without_login()
    enter_project()


def require_app() -> None:
    """Run app.py in place of the page's file alone; every page calls it first.

    `streamlit run app.py` takes `pages/` for its older kind of multipage app until a session calls `st.navigation`:
    a link to a page, opened first, runs the page's file without what is set up above it.
    """
    if not session.PAGES.is_set():
        PagesManager.uses_pages_directory = False
        st.rerun()


def open_store(top: DeltaGenerator, foot: DeltaGenerator) -> None:
    """Open the store; show a message and stop if it cannot be used, or if the session has no project.

    Args:
        top: where the sidebar shows the project.
        foot: where the sidebar shows who is logged in.
    """
    draw_project(top, foot)
    with explaining():
        opened_store.open_store()
    identity.note_log_in()
    upload_receiver.allow_uploads(identity.can_run())
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
