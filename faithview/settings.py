"""Settings from the environment; only the command line, the API and the dashboard's shell read them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

# Every environment variable that FaithView itself reads, beside FAITHVIEW_LIMITS (`formats/limits/ceilings.py`).
# Judges' SDKs read their vendors' own (OPENAI_API_KEY, ...).
DATABASE_VARIABLE = "FAITHVIEW_DB"
# A project that the secrets file describes, whose store is used (`services/projects/named.py`).
PROJECT_VARIABLE = "FAITHVIEW_PROJECT"
# Where alerts are posted. Anybody with this address can post there, so it is never stored, logged or shown.
WEBHOOK_VARIABLE = "FAITHVIEW_WEBHOOK_URL"
# Names beside this machine's own that a server answers to (`hosts.py`), separated by commas.
ALLOWED_HOSTS_VARIABLE = "FAITHVIEW_ALLOWED_HOSTS"
# The file with keys and the description of the log-in, in place of the one in the home folder.
SECRETS_VARIABLE = "FAITHVIEW_SECRETS"
# "required": nobody writes without logging in, also where the description of the log-in is gone.
LOGIN_VARIABLE = "FAITHVIEW_LOGIN"
LOGIN_REQUIRED = "required"
# What clients of `faithview serve` have to send; several, separated by commas, while one takes the place of another.
TOKEN_VARIABLE = "FAITHVIEW_TOKEN"  # noqa: S105 - its name, not the token

# Which records are logged, and how they look (`logs.py`).
LOG_LEVEL_VARIABLE = "FAITHVIEW_LOG_LEVEL"
LOG_FORMAT_VARIABLE = "FAITHVIEW_LOG_FORMAT"
# How long `faithview watch` keeps texts: "90d", or "90d keep-scores" to keep the scores of runs.
RETENTION_VARIABLE = "FAITHVIEW_RETENTION"
# Set by the dashboard for the processes that judge its runs: the person who started one, for the audit log.
ACTING_FOR_VARIABLE = "FAITHVIEW_ACTING_FOR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where FaithView keeps what it stores, as a SQLAlchemy URL."""

    database_url: str

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, *, database_url: str | None = None) -> "Settings":
        """Read the environment; `database_url` takes precedence over it."""
        environ = os.environ if environ is None else environ
        default = file_url(data_folder() / "faithview.db")
        return cls(database_url=database_url or environ.get(DATABASE_VARIABLE) or default)


def data_folder() -> Path:
    """Return the user's data folder for FaithView; it may not exist yet."""
    return Path(platformdirs.user_data_dir("faithview", appauthor=False))


def file_url(path: Path) -> str:
    """Return the SQLAlchemy URL of a SQLite file."""
    return f"sqlite:///{path}"


def absolute_url(url: str) -> str:
    """Return the URL with an absolute SQLite path, so that another process opens the same file."""
    prefix = "sqlite:///"
    path = url.removeprefix(prefix)
    if not url.startswith(prefix) or path in ("", ":memory:") or path.startswith("file:"):
        return url
    return prefix + str(Path(path).expanduser().resolve())
