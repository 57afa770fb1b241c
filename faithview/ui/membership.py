"""Who this session's person is, which project the server serves, and what the user may do there.

The person is the one logged in, else the name given once and kept in the browser. An e-mail address that the provider
calls not verified is ignored, because another person may own it. The project and its members are looked up in the
secrets each time they are asked for.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.scriptrunner import get_script_run_ctx

from faithview.domain.audit import UNKNOWN
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.project import Project, Role, listed_role
from faithview.services.projects import read_projects
from faithview.settings import PROJECT_VARIABLE, is_login_required, read_variable
from faithview.ui import session
from faithview.ui.browser_memory import remembered

COOKIE = "faithview_reviewer"
MAX_NAME = 100  # characters


def is_login_on() -> bool:
    """Return whether users log in: OIDC is configured (`[auth]` in the secrets), or was when the server started."""
    return "is_logged_in" in st.user or is_login_required()


def verified_email() -> str | None:
    """Return the address of the logged-in user; None without log-in, or if it is not verified."""
    email = st.user.get("email") if st.user.get("is_logged_in") else None
    return str(email) if email and not is_unverified() else None


def is_unverified() -> bool:
    """Return whether the provider says of the person logged in that the address is not verified; many say nothing."""
    return bool(st.user.get("is_logged_in")) and str(st.user.get("email_verified", True)).lower() in ("false", "0")


def current_reviewer() -> str | None:
    """Return the user's verified e-mail address, otherwise the name given; None if there is neither."""
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


def served_project() -> Project | None:
    """Return the project that this server serves, as the secrets describe it now; None if it serves none.

    Raises:
        InvalidInput: it serves none although the secrets describe some, or their description cannot be used.
        NotFound: the project is not described any more.
    """
    try:
        secrets = st.secrets.to_dict()
        projects = _read(
            json.dumps(secrets.get("faithview"), default=str), is_login_described=bool(secrets.get("auth"))
        )
    except (StreamlitSecretNotFoundError, OSError, UnicodeDecodeError):
        projects = ()
    name = read_variable(PROJECT_VARIABLE)
    if name is None:
        if projects:
            raise InvalidInput("The secrets file describes projects, and this server was started without one.")
        return None
    project = next((project for project in projects if project.name == name), None)
    if project is None:
        raise NotFound(f"There is no project {name!r} to serve.")
    return project


# Asked many times for one page; the text of the description tells whether it is still the same.
@lru_cache(maxsize=2)
def _read(description: str, *, is_login_described: bool) -> tuple[Project, ...]:
    return read_projects({"faithview": json.loads(description) or {}, "auth": is_login_described})


_OUTSIDE = "You have no access to this project. An admin can add you in the secrets file."
READ_ONLY = "This store can only be read, so you can look at everything but change nothing."
_CANNOT_RUN = (
    "You can view everything here. To start, stop or store runs, or to ask a model, log in as a reviewer or an admin."
)


def own_role() -> Role | None:
    """Return the person's role, whether or not the store can be written; None for a person outside of the project."""
    try:
        project = served_project()
    except (InvalidInput, NotFound):
        return None
    if not is_login_on():
        return Role.ADMIN
    email = verified_email()
    if project is not None:
        return None if email is None else project.members.role_of(email)
    return Role.VIEWER if email is None else role_of(email, _roles())


def role_of(email: str, roles: Mapping[str, object]) -> Role:
    """Return the role of an address where the server serves no project.

    `roles` lists addresses under "admin" and "reviewer"; all others are viewers.
    """
    return listed_role(email, {role: _listed(roles, role) for role in (Role.ADMIN, Role.REVIEWER)}) or Role.VIEWER


def people_who_label() -> list[str]:
    """Return the addresses of all who may label, where users log in."""
    project = served_project()
    if project is not None:
        listed = [*project.members.admins, *project.members.reviewers]
    else:
        roles = _roles()
        listed = [entry for role in (Role.ADMIN, Role.REVIEWER) for entry in _listed(roles, role)]
    return sorted(set(listed), key=str.casefold)


def outside() -> str | None:
    """Return that the session's person is not in the project, as a sentence; None if they are, or there is none."""
    return _OUTSIDE if own_role() is None else None


def why_cannot_run(is_read_only: Callable[[], bool]) -> str | None:
    """Return why this session may not start, stop and store runs or ask models, as a sentence; None if it may.

    `is_read_only` asks the store, which who is not in the project may not.
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
