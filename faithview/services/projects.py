"""Projects: their secrets file, their stores, and who has access.

One secrets file is used: the one that is named, or the one in the home folder. A file in the current folder is ignored,
because another user who can write there could redirect keys to their own server. Streamlit reads three files and skips
a broken one with a line in its log; log-in would then be off and every visitor an admin.

A project is defined in `[faithview.projects.NAME]`, with `db` and optionally `title` and `roles`. Unknown entries are
errors, because a partly read definition might give access to the wrong user. Messages never contain the URL of a store,
which may have a password.

"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from faithview.domain.errors import InvalidInput, NotFound, StoreError
from faithview.domain.project import Members, Project
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


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it must be one line")
    return text


def _store_url(url: str) -> str:
    try:
        path = sqlite_path(url)
    except StoreError as error:
        raise ValueError(str(error).removesuffix(".")) from None
    if path is not None and not path.is_absolute():
        raise ValueError("it must have an absolute path, because commands run in different folders")
    return absolute_url(url)


_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,62}$")]
_Addresses = tuple[_Text, ...]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Roles(_Strict):
    admin: _Addresses = ()
    reviewer: _Addresses = ()
    viewer: _Addresses | Literal["everyone"] = Field(default=(), union_mode="left_to_right")


class _Table(_Strict):
    db: Annotated[_Text, AfterValidator(_store_url)]
    title: Annotated[_Text, StringConstraints(max_length=100), AfterValidator(_printable)] | None = None
    roles: _Roles = _Roles()


class _Admins(_Strict):
    """With projects, only admins can be listed outside them; they are admins of all projects."""

    admin: _Addresses = ()


class _Section(BaseModel):
    roles: _Admins = _Admins()
    projects: dict[_Name, _Table] = Field(min_length=1)


def read_projects(secrets: Mapping[str, Any]) -> tuple[Project, ...]:
    """Return the projects that the secrets define, in their order.

    Raises:
        InvalidInput: a definition is not valid, or there are roles without log-in. The message names the place and the
            problem.
    """
    section = secrets.get("faithview", {})
    if not isinstance(section, Mapping) or "projects" not in section:
        return ()
    try:
        described = _Section.model_validate(section)
    except ValidationError as error:
        # Without the value, which may have a password.
        first = error.errors(include_input=False)[0]
        place = ".".join(str(part)[:80] for part in ("faithview", *first["loc"]))
        reason = first["msg"].removeprefix("Value error, ")
        raise InvalidInput(
            f"The secrets' projects cannot be used: {place}: {reason}. Each project is a "
            "table [faithview.projects.NAME] with `db`, and optionally `title` and `roles`."
        ) from None
    projects = tuple(
        Project(
            name=name,
            title=table.title or name,
            database_url=table.db,
            members=Members(
                admins=(*described.roles.admin, *table.roles.admin),
                reviewers=table.roles.reviewer,
                viewers=() if table.roles.viewer == "everyone" else table.roles.viewer,
                is_open=table.roles.viewer == "everyone",
            ),
        )
        for name, table in described.projects.items()
    )
    if any(project.members.is_listed for project in projects) and not is_login_described(secrets):
        raise InvalidInput(
            "Projects define roles but no log-in is configured, so every visitor would have full access. Configure "
            "log-in in [auth], or remove the roles."
        )
    return projects


def find_secrets(named: str | None = None) -> Path | None:
    """Return the secrets file to use; None if none is named and none is in the home folder.

    Args:
        named: the file that an option names; None is the one that the environment names.

    Raises:
        InvalidInput: the named file does not exist or does not end in .toml.
    """
    named = read_variable(SECRETS_VARIABLE) if named is None else named
    if named is not None:
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
    except (OSError, ValueError) as error:  # with at most one character of the file
        raise InvalidInput(
            f"The secrets file {str(path)!r} cannot be read: {error}. FaithView stops without it because it may "
            "configure log-in. Let this user read it, and save it as TOML in UTF-8."
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
    projects = {project.name: project for project in (() if path is None else read_projects(read_secrets(path)))}
    if name in projects:
        return projects[name]
    known = f"the projects are: {', '.join(projects)}" if projects else "the secrets file defines none"
    raise NotFound(f"There is no project {name!r}; {known}.")
