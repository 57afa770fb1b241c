"""Which secrets file counts, and that nothing starts with one that it needs and cannot read.

Streamlit reads three and passes over a broken one with a line in its log, so that log-in would be off and everybody an
admin. Here one counts: the one that is named, else the one in the home folder. None of the current folder does: whoever
can write there could redirect keys to a server of their own.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from faithview.domain.errors import InvalidInput
from faithview.settings import LOGIN_VARIABLE, SECRETS_VARIABLE, is_login_required, read_variable

_WHAT_NOW = "FaithView does not go on without it, because it may configure log-in."


def find_secrets(named: str | None = None) -> Path | None:
    """Return the secrets file that counts; None where none is named and none is in the home folder.

    Args:
        named: the file that an option names; None is the one that the environment names.

    Raises:
        InvalidInput: the one that is named is not there, or has another ending than .toml; or its name is empty.
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
    """Return what the file holds.

    Raises:
        InvalidInput: it cannot be read, is no TOML, or gives roles without describing a log-in.
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
        # The message names a place and at most a character of the file.
        raise InvalidInput(
            f"The secrets file {str(path)!r} is not TOML: {error}. {_WHAT_NOW} Correct the file."
        ) from None
    if not isinstance(secrets.get("auth", {}), Mapping):
        raise InvalidInput(f"In the secrets file {str(path)!r} `auth` is no table; write it as [auth].")
    section = secrets.get("faithview", {})
    if isinstance(section, Mapping) and "roles" in section and not is_login_described(secrets):
        raise InvalidInput(
            f"The secrets file {str(path)!r} gives roles but has no [auth], so that everybody could do everything. "
            "Describe the log-in in [auth], or remove [faithview.roles]."
        )
    return secrets


def read_dashboard_secrets(named: str | None = None) -> Mapping[str, Any]:
    """Return what the secrets file that counts holds, nothing where there is none; for whatever starts the dashboard.

    Args:
        named: the file that an option names; None is the one that the environment names.

    Raises:
        InvalidInput: the file cannot be used, or log-in is required and nobody could log in.
    """
    path = find_secrets(named)
    secrets = {} if path is None else read_secrets(path)
    refuse_without_login(secrets, place="there is no secrets file" if path is None else f"{str(path)!r} has no [auth]")
    return secrets


def refuse_without_login(secrets: Mapping[str, Any], *, place: str = "the secrets file has no [auth]") -> None:
    """Raise InvalidInput where log-in is required and not described: anybody could read everything then.

    Args:
        secrets: what the secrets hold.
        place: says where the description is missing, as a clause.
    """
    # Streamlit makes environment variables of the file's entries, under those that are set.
    entries = {name: value for name, value in secrets.items() if isinstance(value, str)}
    if is_login_required({**entries, **os.environ}) and not is_login_described(secrets):
        raise InvalidInput(
            f"{LOGIN_VARIABLE} requires a log-in, but {place}, so nobody could log in: describe the log-in in [auth] "
            f"of the file that --secrets or {SECRETS_VARIABLE} names, or unset {LOGIN_VARIABLE}."
        )


def is_login_described(secrets: Mapping[str, Any]) -> bool:
    """Return whether people log in: the secrets have [auth]."""
    return bool(secrets.get("auth"))
