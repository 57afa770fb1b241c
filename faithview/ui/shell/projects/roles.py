"""What the session's person may do. This module opens no store: `opened_store` asks it before every change.

Where there are no projects, the secrets list who is an admin and who a reviewer; without OIDC everybody is an admin.
"""

from collections.abc import Callable, Mapping

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.scriptrunner import get_script_run_ctx

from faithview.domain.project import Role, listed_role
from faithview.ui.shell import session
from faithview.ui.shell.projects import membership
from faithview.ui.shell.projects.log_in import current_reviewer, is_login_on

READ_ONLY = "This store can only be read, so you can look at everything but change nothing."
_CANNOT_RUN = (
    "You can look at everything here but not start, stop or store runs, or ask a model: log in as a reviewer or an "
    "admin."
)


def own_role() -> Role:
    """Return the person's role, whether or not the store can be written."""
    if membership.are_projects_on():
        return membership.role_here() or Role.VIEWER
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
    if membership.are_projects_on():
        listed = list(membership.people_who_label())
    else:
        roles = _roles()
        listed = [entry for role in (Role.ADMIN, Role.REVIEWER) for entry in _listed(roles, role)]
    return sorted(set(listed), key=str.casefold)


def outside() -> str | None:
    """Return that the session is in no project of its person's, as a sentence; None where it is, or needs none."""
    if not membership.are_projects_on() or membership.role_here() is not None:
        return None
    return membership.no_project(session.PROJECT.get())


def why_cannot_run(is_read_only: Callable[[], bool]) -> str | None:
    """Return why this session may not start, stop and store runs or ask models, as a sentence; None where it may.

    `is_read_only` asks the store; a session that is in no project has none that could be asked.
    """
    if (elsewhere := outside()) is not None:
        return elsewhere
    if is_read_only():
        return READ_ONLY
    return _CANNOT_RUN if own_role() is Role.VIEWER else None


def why_cannot_write(is_read_only: Callable[[], bool]) -> str | None:
    """Return why this session may change nothing at all, as a sentence; None where it may change something.

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
