"""Names for the processes that judge a run or read its file, and whether one of them is gone."""

import os
import secrets
import socket

from faithview.store.database import Database
from faithview.store.runs import runs

# The names of work that this process has done or given up. A store that fails cannot be told that a run is free again,
# and the process goes on: a watch, a notebook.
_ended: set[str] = set()


def process_token() -> str:
    """Return a name for this process and this piece of work that no other has."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def end_work(token: str) -> None:
    """Note that this process works on the piece of work of that name no more."""
    _ended.add(token)


def is_gone(token: str) -> bool:
    """Return whether the work of that name has ended on this machine; False where nobody here can tell."""
    if token in _ended:
        return True
    host, _, rest = token.partition(":")
    return host == socket.gethostname() and not _is_running(int(rest.partition(":")[0]))


def release_if_dead(db: Database, run_id: str) -> None:
    """Release the run if its worker on this machine is gone, so that nobody has to wait for the lease."""
    worker = runs.find_worker(db, run_id)
    if worker is not None and is_gone(worker):
        runs.release_dead_worker(db, run_id, worker=worker)


def _is_running(pid: int) -> bool:
    if os.name == "nt":  # signal 0 would end the process there; the lease decides instead
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
