"""Which secrets file counts, and that nothing starts with one that it needs and cannot read.

Streamlit reads three and passes over a broken one with a line in its log, so that log-in would be off and everybody an
admin. Here one counts: the one that is named, else the one in the home folder. None of the current folder does: whoever
can write there could redirect keys to a server of their own.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from faithview.domain.errors import InvalidInput
from faithview.settings import SECRETS_VARIABLE

_WHAT_NOW = "FaithView does not go on without it, because it may configure log-in."


def find_secrets(named: str | None) -> Path | None:
    """Return the secrets file that counts; None where none is named and none is in the home folder.

    Raises:
        InvalidInput: the one that is named is not there, or has another ending than .toml.
    """
    if named:
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


def is_login_described(secrets: Mapping[str, Any]) -> bool:
    """Return whether people log in: the secrets have [auth]."""
    return bool(secrets.get("auth"))
