"""Settings from the environment; only the command line, the API and the dashboard's shell read them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from faithview.domain.errors import InvalidInput

# Every environment variable that FaithView itself reads. Judges' SDKs
# read their vendors' own (OPENAI_API_KEY, ...).
DATABASE_VARIABLE = "FAITHVIEW_DB"
# A project that the secrets file describes, whose store is used (`services/projects.py`).
PROJECT_VARIABLE = "FAITHVIEW_PROJECT"
# Where alerts are posted. Every holder of this address can post there, so it is never stored, logged or shown.
WEBHOOK_VARIABLE = "FAITHVIEW_WEBHOOK_URL"
# Host names, besides this machine's own, that a server accepts (`hosts.py`), separated by commas.
ALLOWED_HOSTS_VARIABLE = "FAITHVIEW_ALLOWED_HOSTS"
# The file with keys and the description of the log-in, in place of the one in the home folder.
SECRETS_VARIABLE = "FAITHVIEW_SECRETS"
# "required": the dashboard does not start without a log-in, and shows nothing if the description of the log-in is gone
# later.
LOGIN_VARIABLE = "FAITHVIEW_LOGIN"
LOGIN_REQUIRED = "required"
# What clients of `faithview serve` have to send; several, separated by commas, while one takes the place of another.
TOKEN_VARIABLE = "FAITHVIEW_TOKEN"  # noqa: S105 - its name, not the token

# Which records are logged, and how they look (`logs.py`).
LOG_LEVEL_VARIABLE = "FAITHVIEW_LOG_LEVEL"
LOG_FORMAT_VARIABLE = "FAITHVIEW_LOG_FORMAT"
# How long `faithview watch` keeps runs and logged texts: "90d".
RETENTION_VARIABLE = "FAITHVIEW_RETENTION"
# Set by the dashboard for the processes that judge its runs: the person who started one, for the audit log.
ACTING_FOR_VARIABLE = "FAITHVIEW_ACTING_FOR"

# What a variable without which something else would be used wants; such a variable must not be empty.
_WANTED = {
    DATABASE_VARIABLE: "the URL of a store, for example sqlite:////path/to/faithview.db",
    PROJECT_VARIABLE: "the name of a project",
    SECRETS_VARIABLE: "the path of a secrets file",
    LOGIN_VARIABLE: repr(LOGIN_REQUIRED),
    RETENTION_VARIABLE: "a time, for example 90d",
    TOKEN_VARIABLE: "the token that clients have to send",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where FaithView keeps what it stores, as a SQLAlchemy URL."""

    database_url: str

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, *, database_url: str | None = None) -> "Settings":
        """Read the environment; `database_url` takes precedence over it.

        Raises:
            InvalidInput: `database_url` is empty; or it is None, and the variable is empty.
        """
        if database_url is not None:
            return cls(database_url=given_url(database_url))
        return cls(database_url=read_variable(DATABASE_VARIABLE, environ) or file_url(data_folder() / "faithview.db"))


def read_variable(name: str, environ: Mapping[str, str] | None = None) -> str | None:
    """Return what an environment variable is set to; None if it is not set.

    An empty one is an error: the user meant to set it, and without it FaithView would use another store, other secrets
    or no log-in at all.

    Args:
        name: the variable.
        environ: the environment; None is this process's.

    Raises:
        InvalidInput: it is set, and empty.
    """
    value = (os.environ if environ is None else environ).get(name)
    if value is not None and not value.strip():
        raise InvalidInput(
            f"{name} is set but empty: set it to {_WANTED[name]}, or unset it. In CI a secret that the job "
            "may not read is empty."
        )
    return value


def is_login_required(environ: Mapping[str, str] | None = None) -> bool:
    """Return whether FAITHVIEW_LOGIN is "required"; raises InvalidInput for every other value, which would not be."""
    value = read_variable(LOGIN_VARIABLE, environ)
    if value is not None and value.strip().lower() != LOGIN_REQUIRED:
        raise InvalidInput(f"{LOGIN_VARIABLE} is {value!r}; set it to {LOGIN_REQUIRED!r}, or unset it.")
    return value is not None


def given_url(url: str) -> str:
    """Return the URL of a store that was given; raises InvalidInput if it is empty, as an unset variable's would be."""
    if not url.strip():
        raise InvalidInput(
            "The URL of the store is empty: give one, for example sqlite:////path/to/faithview.db, or leave it out. In "
            "CI a secret that the job may not read is empty."
        )
    return url


def data_folder() -> Path:
    """Return the user's data folder for FaithView; it may not exist yet."""
    return Path(platformdirs.user_data_dir("faithview", appauthor=False))


def file_url(path: Path) -> str:
    """Return the SQLAlchemy URL of a SQLite file."""
    return f"sqlite:///{path}"


def absolute_url(url: str) -> str:
    """Return the URL with an absolute SQLite path, so another process opens the same file."""
    prefix = "sqlite:///"
    path = url.removeprefix(prefix)
    if not url.startswith(prefix) or path in ("", ":memory:") or path.startswith("file:"):
        return url
    return prefix + str(Path(path).expanduser().resolve())
