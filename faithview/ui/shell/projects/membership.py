"""Which project a session is in, and what its person may do there: looked up in the secrets each time it is asked.

A session has one project from its first run to its end; another project is another session. So nothing that a session
remembers, on the server or in its page, is shown beside another project's answers.
"""

import json
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.project import Project, Projects, Role
from faithview.services.projects.description import read_projects
from faithview.settings import PROJECT_VARIABLE, read_variable
from faithview.ui.shell import session
from faithview.ui.shell.projects.log_in import is_login_on, verified_email

_T = TypeVar("_T")
_GONE = "The projects were described when the dashboard started, and are not any more."
# Whether this server began with projects: it never goes on with one store for everybody where their description goes.
_are_required = False
_LONGEST_NAME = 80


def require_projects() -> None:
    """Let nobody in from now on while the secrets describe no projects."""
    global _are_required
    _are_required = True


def described_projects() -> Projects | None:
    """Return the projects that the secrets describe now, or the only one that is served; None where there are none.

    Raises:
        InvalidInput: the description cannot be used, or was there when the server started and is gone.
        NotFound: the project that is served is not among them.
    """
    try:
        secrets = st.secrets.to_dict()
        projects = _read(
            json.dumps(secrets.get("faithview"), default=str), is_login_described=bool(secrets.get("auth"))
        )
    except (StreamlitSecretNotFoundError, OSError, UnicodeDecodeError):
        projects = None
    if projects is None:
        if _are_required:
            raise InvalidInput(_GONE)
        return None
    only = read_variable(PROJECT_VARIABLE)
    if only is None:
        return projects
    project = projects.find(only)
    if project is None:
        raise NotFound(f"There is no project {only!r} to serve.")
    return Projects(described=(project,), admins=projects.admins)


def open_projects() -> tuple[Project, ...]:
    """Return the projects that this session's person gets into."""
    projects = described_projects()
    if projects is None:
        return ()
    return tuple(project for project in projects.described if _role_in(projects, project) is not None)


def enter(name: str | None) -> None:
    """Put the session into a project, once: the one of that name, else the first that its person gets into.

    A name that the person may not know, or that nobody has, puts it into none.
    """
    if session.PROJECT.get() is not None:
        return
    projects = open_projects()
    chosen = next((project.name for project in projects if name in (None, project.name)), None)
    session.PROJECT.set(chosen)


def current_project() -> Project | None:
    """Return the project that the session is in and its person gets into now; None where there are no projects.

    Raises:
        NotFound: the session is in none, or its person does not get into it any more.
        InvalidInput: the description cannot be used.
    """
    projects = described_projects()
    if projects is None:
        return None
    project = projects.find(session.PROJECT.get() or "")
    if project is None or _role_in(projects, project) is None:
        raise NotFound(no_project(session.PROJECT.get()))
    return project


def role_here() -> Role | None:
    """Return what the session's person may do in its project now; None where that is nothing.

    Only where projects are described.
    """
    try:
        projects, project = described_projects(), current_project()
    except (InvalidInput, NotFound):
        return None
    return None if projects is None or project is None else _role_in(projects, project)


def people_who_label() -> tuple[str, ...]:
    """Return the addresses that may label in the session's project, as they are listed."""
    projects, project = described_projects(), current_project()
    if projects is None or project is None:
        return ()
    return (*projects.admins, *project.members.admins, *project.members.reviewers)


def are_projects_on() -> bool:
    """Return whether there are projects, also where their description cannot be used."""
    try:
        return described_projects() is not None
    except (InvalidInput, NotFound):
        return True


def no_project(name: str | None) -> str:
    """Return the sentence for a project that is not there and for one that is not shown: they are told alike."""
    return (
        "There is no project that you can open."
        if name is None
        else f"There is no project {name[:_LONGEST_NAME]!r} that you can open."
    )


def while_member(make: Callable[[], _T]) -> Callable[[], _T]:
    """Return a function for later, outside the session, that makes something only if the person still gets in then."""
    if not are_projects_on():
        return make
    name, email, has_login = session.PROJECT.get(), verified_email(), is_login_on()

    def make_if_member() -> _T:
        projects = described_projects()
        project = None if projects is None else projects.find(name or "")
        if projects is None or project is None or (has_login and not (email and projects.role_in(project, email))):
            raise NotFound(no_project(name))
        return make()

    return make_if_member


# Asked many times for one page; the text of the description tells whether it is still the same.
@lru_cache(maxsize=2)
def _read(description: str, *, is_login_described: bool) -> Projects | None:
    return read_projects({"faithview": json.loads(description) or {}, "auth": is_login_described})


def _role_in(projects: Projects, project: Project) -> Role | None:
    if not is_login_on():
        return Role.ADMIN
    email = verified_email()
    return None if email is None else projects.role_in(project, email)
