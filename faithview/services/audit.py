"""Who changes the store, and when a log-in is recorded in the audit log.

In the dashboard only admins may read it (`ui/identity.py`); at the command line, every user who can read the store.
Without log-in, changes are recorded under the computer's user.

"""

import getpass
import os
import socket
from collections.abc import Mapping
from datetime import datetime

from faithview.domain.audit import Action
from faithview.services.container import Store
from faithview.settings import ACTING_FOR_VARIABLE
from faithview.store import audit


def add_log_in(store: Store, email: str, *, issued_at: datetime | None) -> None:
    """Record a log-in, once for all browser tabs that it opens.

    Args:
        store: the store.
        email: the verified address of the user who is logged in.
        issued_at: when the provider authenticated the user; None if it does not say, so each session counts.
    """
    last = audit.find_last(store.db, Action.LOGGED_IN, who=email)
    if last is None or issued_at is None or last < issued_at:
        audit.add(store.db, Action.LOGGED_IN)


def command_line_user(environ: Mapping[str, str] | None = None) -> str:
    """Return the user of the command line: "command line: ada@laptop".

    The dashboard judges runs with `faithview resume`, which acts for the user who pressed the button.
    """
    acting_for = (os.environ if environ is None else environ).get(ACTING_FOR_VARIABLE)
    return acting_for or f"command line: {_user_and_host()}"


def python_user() -> str:
    """Return the user of the Python API: "Python: ada@laptop"."""
    return f"Python: {_user_and_host()}"


def _user_and_host() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # in a container whose user does not have a name
        user = f"user {os.getuid()}" if hasattr(os, "getuid") else "unknown user"
    return f"{user}@{socket.gethostname()}"
