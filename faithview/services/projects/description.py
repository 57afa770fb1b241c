"""Reads the projects from the secrets: `[faithview.projects.NAME]`, each with `db`, maybe `title` and `roles`.

Whatever is not understood is refused, because a description that is half read might let somebody in. No message has
the URL of a store in it, which may hold a password.
"""

import re
from collections.abc import Mapping
from typing import Any

from faithview.domain.errors import InvalidInput, StoreError
from faithview.domain.project import Members, Project, Projects, Role
from faithview.settings import absolute_url
from faithview.store.urls import same_store, sqlite_path

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_KEYS = {"title", "db", "roles"}
_ROLES = {role.value for role in Role}
# In the place of a list of viewers.
EVERYONE = "everyone"
_LONGEST_TITLE = 100


def read_projects(secrets: Mapping[str, Any]) -> Projects | None:
    """Return the projects that the secrets describe; None where they describe none.

    Raises:
        InvalidInput: a description cannot be used, two projects have one store, or people are given roles where nobody
            logs in. The text names the project and what is wrong.
    """
    section = secrets.get("faithview", {})
    if not isinstance(section, Mapping) or "projects" not in section:
        return None
    tables = section["projects"]
    if not isinstance(tables, Mapping) or not tables:
        raise InvalidInput("`faithview.projects` describes no project; write one table [faithview.projects.NAME] each.")
    projects = Projects(
        described=tuple(_project(str(name), table) for name, table in tables.items()),
        admins=_admins(section.get("roles", {})),
    )
    _refuse_shared_stores(projects)
    roles = projects.admins or any(project.members.is_listed for project in projects.described)
    if roles and not secrets.get("auth"):
        raise InvalidInput(
            "Projects give roles but nobody logs in, so that everybody could do everything. Describe the log-in in "
            "[auth], or remove the roles."
        )
    return projects


def _project(name: str, table: object) -> Project:
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"A project cannot be called {name[:80]!r}; use up to 63 small letters, digits, '-' and '_', and begin "
            "with a letter or a digit."
        )
    if not isinstance(table, Mapping):
        raise InvalidInput(f"The project {name!r} is no table; write [faithview.projects.{name}].")
    _refuse_unknown(f"The project {name!r}", table, _KEYS)
    url, title = table.get("db"), table.get("title", name)
    if not isinstance(url, str) or not url.strip():
        raise InvalidInput(f'The project {name!r} has no store; write db = "sqlite:////path/NAME.db" in its table.')
    if not isinstance(title, str) or not 0 < len(title.strip()) <= _LONGEST_TITLE or not title.isprintable():
        raise InvalidInput(f"The title of the project {name!r} must be a line of 1 to {_LONGEST_TITLE} characters.")
    members = _members(name, table.get("roles", {}))
    return Project(name=name, title=title.strip(), database_url=_store_url(name, url.strip()), members=members)


def _store_url(name: str, url: str) -> str:
    try:
        path = sqlite_path(url)
    except StoreError as error:
        raise InvalidInput(f"The `db` of the project {name!r} cannot be used. {error}") from None
    if path is not None and not path.is_absolute():
        raise InvalidInput(
            f"The `db` of the project {name!r} must have the file's whole path, because commands are started in "
            "different folders."
        )
    return absolute_url(url)


def _members(name: str, roles: object) -> Members:
    if not isinstance(roles, Mapping):
        raise InvalidInput(f"The roles of the project {name!r} are no table; write [faithview.projects.{name}.roles].")
    _refuse_unknown(f"The roles of the project {name!r}", roles, _ROLES)
    viewers = roles.get(Role.VIEWER.value, [])
    return Members(
        admins=_addresses(f"the project {name!r}", Role.ADMIN, roles),
        reviewers=_addresses(f"the project {name!r}", Role.REVIEWER, roles),
        viewers=() if viewers == EVERYONE else _addresses(f"the project {name!r}", Role.VIEWER, roles),
        is_open=viewers == EVERYONE,
    )


def _admins(roles: object) -> tuple[str, ...]:
    if not isinstance(roles, Mapping):
        raise InvalidInput("`faithview.roles` is no table; write [faithview.roles].")
    others = set(roles) - {Role.ADMIN.value}
    if others:
        raise InvalidInput(
            f"Beside projects, [faithview.roles] can list admins only, who are admins of all projects, not "
            f"{min(others)!r}; list the others in [faithview.projects.NAME.roles]."
        )
    return _addresses("[faithview.roles]", Role.ADMIN, roles)


def _addresses(place: str, role: Role, roles: Mapping[str, Any]) -> tuple[str, ...]:
    listed = roles.get(role.value, [])
    if not isinstance(listed, list | tuple) or not all(isinstance(entry, str) and entry.strip() for entry in listed):
        everyone = f', or "{EVERYONE}"' if role is Role.VIEWER else ""
        raise InvalidInput(f"In {place} `{role}` must be a list of e-mail addresses{everyone}.")
    return tuple(entry.strip() for entry in listed)


def _refuse_unknown(subject: str, table: Mapping[str, Any], known: set[str]) -> None:
    unknown = {str(key) for key in table} - known
    if unknown:
        names = ", ".join(sorted(known))
        raise InvalidInput(f"{subject} cannot have {min(unknown)[:80]!r}; it takes {names}.")


def _refuse_shared_stores(projects: Projects) -> None:
    """Two projects over one store would show each other everything."""
    for at, project in enumerate(projects.described):
        for other in projects.described[:at]:
            if same_store(project.database_url, other.database_url):
                raise InvalidInput(
                    f"The projects {other.name!r} and {project.name!r} have the same store; give each one of its own."
                )
