"""Who writes where nobody logs in: the user of this computer."""

import getpass
import os
import socket
from collections.abc import Mapping

from faithview.settings import ACTING_FOR_VARIABLE


def command_line(environ: Mapping[str, str] | None = None) -> str:
    """Return who uses the command line: "command line: ada@laptop".

    The dashboard judges runs with `faithview resume`, which acts for the person who pressed the button.
    """
    acting_for = (os.environ if environ is None else environ).get(ACTING_FOR_VARIABLE)
    return acting_for or f"command line: {_user_and_host()}"


def python() -> str:
    """Return who uses the Python API: "Python: ada@laptop"."""
    return f"Python: {_user_and_host()}"


def _user_and_host() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        user = f"user {os.getuid()}" if hasattr(os, "getuid") else "unknown user"
    return f"{user}@{socket.gethostname()}"
