"""Projects: their secrets file, their stores, and who has access.

One secrets file is used: the one that is named, or the one in the home folder. A file in the current folder is ignored,
because another user who can write there could redirect keys to their own server. Streamlit reads three files and skips
a broken one with a line in its log; log-in would then be off and every visitor an admin.

A project is defined in `[faithview.projects.NAME]`, with `db` and optionally `title` and `roles`. Unknown entries are
errors, because a partly read definition might give access to the wrong user. Messages never contain the URL of a store,
which may have a password.

"""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from faithview.domain.errors import InvalidInput, NotFound, StoreError
from faithview.domain.project import Members, Project, Role
from faithview.settings import (
    DATABASE_VARIABLE,
    LOGIN_VARIABLE,
    PROJECT_VARIABLE,
    SECRETS_VARIABLE,
    Settings,
    absolute_url,
    given_url,
    is_login_required,
    read_variable,
)
from faithview.store.urls import sqlite_path

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_KEYS = {"title", "db", "roles"}
_ROLES = {role.value for role in Role}
# In place of a list of viewers.
EVERYONE = "everyone"
_LONGEST_TITLE = 100


def read_projects(secrets: Mapping[str, Any]) -> tuple[Project, ...]:
    """Return the projects that the secrets define, in their order.

    Raises:
        InvalidInput: a definition is not valid, or there are roles without log-in. The message names the project and
            the problem.
    """
    section = secrets.get("faithview", {})
    if not isinstance(section, Mapping) or "projects" not in section:
        return ()
    tables = section["projects"]
    if not isinstance(tables, Mapping) or not tables:
        raise InvalidInput(
            "`faithview.projects` defines no projects; write a table [faithview.projects.NAME] for each."
        )
    admins = _admins(section.get("roles", {}))
    projects = tuple(_project(str(name), table, admins) for name, table in tables.items())
    if any(project.members.is_listed for project in projects) and not secrets.get("auth"):
        raise InvalidInput(
            "Projects define roles but no log-in is configured, so every visitor would have full access. Configure "
            "log-in in [auth], or remove the roles."
        )
    return projects


def _project(name: str, table: object, admins: tuple[str, ...]) -> Project:
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"A project cannot be called {name[:80]!r}; use up to 63 lowercase letters, digits, '-' and '_', and begin "
            "with a letter or a digit."
        )
    if not isinstance(table, Mapping):
        raise InvalidInput(f"The project {name!r} is not a table; write [faithview.projects.{name}].")
    _refuse_unknown(f"The project {name!r}", table, _KEYS)
    url, title = table.get("db"), table.get("title", name)
    if not isinstance(url, str) or not url.strip():
        raise InvalidInput(f'The project {name!r} has no store; write db = "sqlite:////path/NAME.db" in its table.')
    if not isinstance(title, str) or not 0 < len(title.strip()) <= _LONGEST_TITLE or not title.isprintable():
        raise InvalidInput(f"The title of the project {name!r} must be one line of 1 to {_LONGEST_TITLE} characters.")
    members = _members(name, table.get("roles", {}), admins)
    return Project(name=name, title=title.strip(), database_url=_store_url(name, url.strip()), members=members)


def _store_url(name: str, url: str) -> str:
    try:
        path = sqlite_path(url)
    except StoreError as error:
        raise InvalidInput(f"The `db` of the project {name!r} cannot be used. {error}") from None
    if path is not None and not path.is_absolute():
        raise InvalidInput(
            f"The `db` of the project {name!r} must be an absolute path, because commands run in different folders."
        )
    return absolute_url(url)


def _members(name: str, roles: object, admins: tuple[str, ...]) -> Members:
    if not isinstance(roles, Mapping):
        raise InvalidInput(f"The roles of {name!r} are not a table; write [faithview.projects.{name}.roles].")
    _refuse_unknown(f"The roles of the project {name!r}", roles, _ROLES)
    viewers = roles.get(Role.VIEWER.value, [])
    return Members(
        admins=(*admins, *_addresses(f"the project {name!r}", Role.ADMIN, roles)),
        reviewers=_addresses(f"the project {name!r}", Role.REVIEWER, roles),
        viewers=() if viewers == EVERYONE else _addresses(f"the project {name!r}", Role.VIEWER, roles),
        is_open=viewers == EVERYONE,
    )


def _admins(roles: object) -> tuple[str, ...]:
    if not isinstance(roles, Mapping):
        raise InvalidInput("`faithview.roles` is not a table; write [faithview.roles].")
    others = set(roles) - {Role.ADMIN.value}
    if others:
        raise InvalidInput(
            f"With projects, [faithview.roles] can list only admins, who are admins of all projects, not "
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


_WHAT_NOW = "FaithView stops without it because it may configure log-in."


def find_secrets(named: str | None = None) -> Path | None:
    """Return the secrets file to use; None if none is named and none is in the home folder.

    Args:
        named: the file that an option names; None is the one that the environment names.

    Raises:
        InvalidInput: the named file does not exist or does not end in .toml, or its name is empty.
    """
    named = read_variable(SECRETS_VARIABLE) if named is None else named
    if named is not None:
        if not named.strip():
            raise InvalidInput("The name of the secrets file is empty; correct --secrets, or leave it out.")
        path = Path(named).expanduser().resolve()
        if path.suffix != ".toml":
            raise InvalidInput(f"A secrets file ends in .toml, and {named!r} does not; rename it or correct --secrets.")
        if not path.exists():
            raise InvalidInput(f"There is no secrets file {named!r}; correct --secrets or {SECRETS_VARIABLE}.")
        return path
    home = Path.home() / ".streamlit" / "secrets.toml"
    return home if home.exists() or home.is_symlink() else None


def read_secrets(path: Path) -> Mapping[str, Any]:
    """Return the content of the file.

    Raises:
        InvalidInput: it cannot be read, is not TOML, or defines roles without log-in.
    """
    try:
        secrets = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(
            f"The secrets file {str(path)!r} cannot be read: {error.strerror}. {_WHAT_NOW} Let this user read it."
        ) from None
    except UnicodeDecodeError:
        raise InvalidInput(f"The secrets file {str(path)!r} is not UTF-8. {_WHAT_NOW} Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        # The message has a position and at most one character of the file.
        raise InvalidInput(
            f"The secrets file {str(path)!r} is not TOML: {error}. {_WHAT_NOW} Correct the file."
        ) from None
    if not isinstance(secrets.get("auth", {}), Mapping):
        raise InvalidInput(f"In the secrets file {str(path)!r}, `auth` is not a table; write it as [auth].")
    section = secrets.get("faithview", {})
    if isinstance(section, Mapping) and "roles" in section and not is_login_described(secrets):
        raise InvalidInput(
            f"The secrets file {str(path)!r} defines roles but has no [auth], so every visitor would have full access. "
            "Configure log-in in [auth], or remove [faithview.roles]."
        )
    return secrets


def read_dashboard_secrets(named: str | None = None) -> Mapping[str, Any]:
    """Return the content of the secrets file, empty if there is none; used when the dashboard starts.

    Args:
        named: the file that an option names; None is the one that the environment names.

    Raises:
        InvalidInput: the file cannot be used, or log-in is required but not configured.
    """
    path = find_secrets(named)
    secrets = {} if path is None else read_secrets(path)
    refuse_without_login(secrets, place="there is no secrets file" if path is None else f"{str(path)!r} has no [auth]")
    return secrets


def refuse_without_login(secrets: Mapping[str, Any], *, place: str = "the secrets file has no [auth]") -> None:
    """Raise InvalidInput if log-in is required but not configured, because every visitor could read everything.

    Args:
        secrets: the content of the secrets file.
        place: a clause saying where the configuration is missing.
    """
    # Streamlit makes environment variables of the file's entries; variables that are set take precedence.
    entries = {name: value for name, value in secrets.items() if isinstance(value, str)}
    if is_login_required({**entries, **os.environ}) and not is_login_described(secrets):
        raise InvalidInput(
            f"{LOGIN_VARIABLE} requires a log-in, but {place}, so users could not log in: configure log-in in [auth] "
            f"of the file that --secrets or {SECRETS_VARIABLE} names, or unset {LOGIN_VARIABLE}."
        )


def is_login_described(secrets: Mapping[str, Any]) -> bool:
    """Return whether log-in is configured: the secrets have [auth]."""
    return bool(secrets.get("auth"))


def settings_of(
    database_url: str | None = None, project: str | None = None, environ: Mapping[str, str] | None = None
) -> Settings:
    """Return the settings with the chosen store.

    A given URL or project takes precedence over FAITHVIEW_PROJECT or FAITHVIEW_DB in the environment.

    Raises:
        InvalidInput: both are given or both are in the environment, the chosen value is empty, or the projects'
            definition is not valid.
        NotFound: no project of that name is defined.
    """
    environ = os.environ if environ is None else environ
    if database_url is not None and project is not None:
        raise InvalidInput("A project has its own store: give either a project or a store's URL, not both.")
    if database_url is not None:
        return Settings(database_url=given_url(database_url))
    named = read_variable(PROJECT_VARIABLE, environ) if project is None else project
    if named is None:
        return Settings.from_env(environ)
    if project is None and read_variable(DATABASE_VARIABLE, environ) is not None:
        raise InvalidInput(f"{PROJECT_VARIABLE} and {DATABASE_VARIABLE} are both set; unset one of them.")
    return Settings(database_url=get_project(named, read_variable(SECRETS_VARIABLE, environ)).database_url)


def get_project(name: str, secrets: str | None = None) -> Project:
    """Return a project by its name.

    Args:
        name: its name.
        secrets: the secrets file; None for the one that FAITHVIEW_SECRETS names, or the one in the home folder.

    Raises:
        InvalidInput: the file or a definition cannot be used.
        NotFound: no project of that name is defined; the message has those that there are.
    """
    path = find_secrets(secrets)
    projects = () if path is None else read_projects(read_secrets(path))
    if not projects:
        raise NotFound(
            f"There is no project {name!r}: the secrets file defines none. Define it in "
            "[faithview.projects.NAME], or leave the project out."
        )
    for project in projects:
        if project.name == name:
            return project
    raise NotFound(f"There is no project {name!r}; the projects are: {', '.join(one.name for one in projects)}.")
