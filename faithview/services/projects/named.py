"""Which store is meant: by a URL, by a project's name, or by the environment."""

import os
from collections.abc import Mapping

from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.project import Project, Projects
from faithview.services.projects.description import read_projects
from faithview.services.projects.secrets_file import find_secrets, read_secrets
from faithview.settings import DATABASE_VARIABLE, PROJECT_VARIABLE, SECRETS_VARIABLE, Settings, given_url, read_variable


def settings_of(
    database_url: str | None = None, project: str | None = None, environ: Mapping[str, str] | None = None
) -> Settings:
    """Return the settings with the store that is meant.

    A URL or a project that is given counts over the environment; there FAITHVIEW_PROJECT or FAITHVIEW_DB.

    Raises:
        InvalidInput: both are given or both are in the environment, what counts is empty, or the projects' description
            cannot be used.
        NotFound: no project of that name is described.
    """
    environ = os.environ if environ is None else environ
    if database_url is not None and project is not None:
        raise InvalidInput("A project has a store of its own, so that either a project or a store's URL can be given.")
    if database_url is not None:
        return Settings(database_url=given_url(database_url))
    named = read_variable(PROJECT_VARIABLE, environ) if project is None else project
    if named is None:
        return Settings.from_env(environ)
    if project is None and read_variable(DATABASE_VARIABLE, environ) is not None:
        raise InvalidInput(
            f"{PROJECT_VARIABLE} and {DATABASE_VARIABLE} are both set, and name two stores; unset one of them."
        )
    return Settings(database_url=get_project(named, read_variable(SECRETS_VARIABLE, environ)).database_url)


def described_projects(secrets: str | None = None) -> Projects | None:
    """Return the projects of the secrets file that counts; None where it describes none or there is no file.

    Args:
        secrets: the file; None is the one that FAITHVIEW_SECRETS names, else the one in the home folder.

    Raises:
        InvalidInput: the file or the description cannot be used.
    """
    path = find_secrets(secrets)
    return None if path is None else read_projects(read_secrets(path))


def get_project(name: str, secrets: str | None = None) -> Project:
    """Return a project by its name; raises NotFound with the names that there are, InvalidInput as above."""
    projects = described_projects(secrets)
    if projects is None:
        raise NotFound(
            f"There is no project {name!r}: the secrets file describes none. Describe it in "
            "[faithview.projects.NAME], or leave the project out."
        )
    project = projects.find(name)
    if project is None:
        names = ", ".join(known.name for known in projects.described)
        raise NotFound(f"There is no project {name!r}; described are: {names}.")
    return project
