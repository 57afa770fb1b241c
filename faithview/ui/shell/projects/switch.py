"""The project in the address, the switch in the sidebar, and what is shown to who gets into none."""

from typing import NoReturn

import streamlit as st

from faithview.domain.errors import InvalidInput, NotFound
from faithview.ui.components.component_files import read_script
from faithview.ui.shell import identity, session
from faithview.ui.shell.address_field import PROJECT
from faithview.ui.shell.browser_memory import remember, remembered
from faithview.ui.shell.projects import membership
from faithview.ui.shell.projects.log_in import is_login_on, verified_email
from faithview.ui.shell.uploads import permission
from faithview.wording import numbers as fmt

_mount = st.components.v2.component("faithview.project_address", js=read_script("project_address"))
_KEY = "shell.project"
_COOKIE = "faithview_project"
_BROKEN = (
    "The description of the projects in the secrets file cannot be used, so that nobody gets in. `faithview projects` "
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


def draw_project() -> None:
    """Draw the switch where there are several projects; say so and stop where the session's person gets into none."""
    if not membership.are_projects_on():
        return
    here, named = session.PROJECT.get(), PROJECT.get()
    open_to = {project.name: project for project in membership.open_projects()}
    if here not in open_to or (named is not None and named not in open_to):
        _refuse(named if named is not None else here)
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
        st.sidebar.selectbox(
            "Project",
            list(open_to),
            format_func=lambda name: open_to[name].title if name in open_to else "",
            key=_KEY,
            on_change=_choose,
            help="Projects have nothing in common: each has runs, labels and people of its own.",
        )
    else:
        st.sidebar.caption(f"Project: {fmt.literal(open_to[here].title)}")


def _choose() -> None:
    session.NEXT_PROJECT.set(str(session.widget_value(_KEY)))


def _go_to(name: str, *, keeps_view: bool) -> NoReturn:
    """Open a project as a session of its own: the browser loads the page anew."""
    _mount(key=f"project.opens.{name}", height=1, data={"project": name, "opens": True, "keepsView": keeps_view})
    st.caption("Opening the project …")
    st.stop()


def _refuse(name: str | None) -> NoReturn:
    permission.allow_uploads(False)
    identity.sidebar()
    st.title("No project", anchor=False)
    if is_login_on() and verified_email() is None:
        st.text("Log in (in the sidebar) to open a project.")
    else:
        st.text(membership.no_project(name))
        for project in membership.open_projects():
            if st.button(project.title, key=f"project.open.{project.name}", icon=":material/folder_open:"):
                _go_to(project.name, keeps_view=False)
    st.stop()
