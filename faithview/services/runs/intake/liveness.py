"""Names for the processes that judge a run or read its file, and whether one of them is gone."""

import os
import secrets
import socket


def process_token() -> str:
    """Return a name for this process and this piece of work that no other has."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def is_gone(token: str) -> bool:
    """Return whether the process of that name ended on this machine; False where nobody here can tell."""
    host, _, rest = token.partition(":")
    return host == socket.gethostname() and not _is_running(int(rest.partition(":")[0]))


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
