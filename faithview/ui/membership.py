"""Who this session's person is, which project the session is in, and what the person may do there.

The person is the one logged in, else the name given once and kept in the browser. An e-mail address that the provider
calls not verified is ignored, because another person may own it.

Projects are looked up in the secrets each time they are asked for. A session has one project from its first run to its
end; another project is another session. So nothing that a session remembers, on the server or in its page, is shown
beside another project's answers.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.scriptrunner import get_script_run_ctx

from faithview.domain.audit import UNKNOWN
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.project import Project, Projects, Role, listed_role
from faithview.services.projects import read_projects
from faithview.settings import PROJECT_VARIABLE, is_login_required, read_variable
from faithview.ui import session
from faithview.ui.browser_memory import remembered

COOKIE = "faithview_reviewer"
MAX_NAME = 100  # characters


def is_login_on() -> bool:
    """Return whether people log in: OIDC is configured (`[auth]` in the secrets), or was when the server started."""
    return "is_logged_in" in st.user or is_login_required()


def verified_email() -> str | None:
    """Return the address of the logged-in user; None without log-in, or if it is not verified."""
    email = st.user.get("email") if st.user.get("is_logged_in") else None
    return str(email) if email and not is_unverified() else None


def is_unverified() -> bool:
    """Return whether the provider says of the person logged in that the address is not verified; many say nothing."""
    return bool(st.user.get("is_logged_in")) and str(st.user.get("email_verified", True)).lower() in ("false", "0")


def current_reviewer() -> str | None:
    """Return the verified e-mail address of the person logged in, else the name given; None if there is neither."""
    if is_login_on():
        return verified_email()
    # An empty name in the session means that the name in the browser was given up in this session.
    name = session.REVIEWER.get() if session.REVIEWER.is_set() else clean_name(remembered(COOKIE))
    return name or None


def acting_person() -> str:
    """Return who writes now, as `domain/audit.py` describes it; outside a session no user is known."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return UNKNOWN
    name = current_reviewer()
    if is_login_on():
        return name or "not logged in"
    return f"{UNKNOWN}: {name}" if name else UNKNOWN


def clean_name(name: str) -> str:
    """Return a name on one line; "" for one that cannot be used, wherever it comes from."""
    line = " ".join(name.split())
    return line if len(line) <= MAX_NAME and line.isprintable() else ""


_T = TypeVar("_T")
_GONE = "The secrets file no longer defines any projects."
# Whether this server started with projects: if their description disappears, it never continues with one open store.
_are_required = False
_LONGEST_NAME = 80


def require_projects() -> None:
    """Refuse all users from now on while the secrets describe no projects."""
    global _are_required
    _are_required = True


def described_projects() -> Projects | None:
    """Return the projects that the secrets describe now, or the only one that is served; None if there are none.

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

    A name that the user may not know, or that no project has, selects none.
    """
    if session.PROJECT.get() is not None:
        return
    projects = open_projects()
    chosen = next((project.name for project in projects if name in (None, project.name)), None)
    session.PROJECT.set(chosen)


def current_project() -> Project | None:
    """Return the project that the session is in and its person gets into now; None if there are no projects.

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
    """Return what the session's person may do in its project now; None if that is nothing.

    Only where projects are described.
    """
    try:
        projects, project = described_projects(), current_project()
    except (InvalidInput, NotFound):
        return None
    return None if projects is None or project is None else _role_in(projects, project)


def people_of_project() -> tuple[str, ...]:
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


READ_ONLY = "This store can only be read, so you can look at everything but change nothing."
_CANNOT_RUN = (
    "You can view everything here. To start, stop or store runs, or to ask a model, log in as a reviewer or an admin."
)


def own_role() -> Role:
    """Return the person's role, whether or not the store can be written."""
    if are_projects_on():
        return role_here() or Role.VIEWER
    if not is_login_on():
        return Role.ADMIN
    email = current_reviewer()
    return Role.VIEWER if email is None else role_of(email, _roles())


def role_of(email: str, roles: Mapping[str, object]) -> Role:
    """Return the role of an address where there are no projects.

    `roles` lists addresses under "admin" and "reviewer"; all others are viewers.
    """
    return listed_role(email, {role: _listed(roles, role) for role in (Role.ADMIN, Role.REVIEWER)}) or Role.VIEWER


def people_who_label() -> list[str]:
    """Return the addresses of all who may label, where people log in."""
    if are_projects_on():
        listed = list(people_of_project())
    else:
        roles = _roles()
        listed = [entry for role in (Role.ADMIN, Role.REVIEWER) for entry in _listed(roles, role)]
    return sorted(set(listed), key=str.casefold)


def outside() -> str | None:
    """Return that the session is in no project of its person's, as a sentence; None if it is, or needs none."""
    if not are_projects_on() or role_here() is not None:
        return None
    return no_project(session.PROJECT.get())


def why_cannot_run(is_read_only: Callable[[], bool]) -> str | None:
    """Return why this session may not start, stop and store runs or ask models, as a sentence; None if it may.

    `is_read_only` asks the store; a session that is in no project has none that could be asked.
    """
    if (elsewhere := outside()) is not None:
        return elsewhere
    if is_read_only():
        return READ_ONLY
    return _CANNOT_RUN if own_role() is Role.VIEWER else None


def why_cannot_write(is_read_only: Callable[[], bool]) -> str | None:
    """Return why this session may change nothing at all, as a sentence; None if it may change something.

    The store asks before every change, also where a page has forgotten to. The server's own work has no session.
    """
    return None if get_script_run_ctx(suppress_warning=True) is None else why_cannot_run(is_read_only)


def _listed(roles: Mapping[str, object], role: Role) -> list[str]:
    listed = roles.get(role.value)
    return [str(entry) for entry in listed] if isinstance(listed, list | tuple) else []


def _roles() -> Mapping[str, object]:
    try:
        section = st.secrets["faithview"]
    except (KeyError, StreamlitSecretNotFoundError):
        return {}
    roles = section.get("roles", {})
    return roles if isinstance(roles, Mapping) else {}
