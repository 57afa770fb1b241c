"""Which sessions may upload a file, and from whom.

Streamlit takes a file for every open session from whoever knows the session's id, whether its page has asked for one
or not. Every run of the script says here whether its session may upload; the gate turns the other sessions' files away,
and those of anybody whose log-in is not the session's.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from threading import Lock

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

PATH = "/_stcore/upload_file/"
# Far more sessions than one server holds; the oldest is forgotten first.
_MOST_SESSIONS = 10_000

_lock = Lock()
_allowed: dict[str, bytes] = {}  # what the log-in of a session is known by


def allow_uploads(allowed: bool) -> None:
    """Say whether the session that this script runs for may upload."""
    context = get_script_run_ctx()
    if context is None:
        return
    with _lock:
        _allowed.pop(context.session_id, None)
        if allowed:
            _allowed[context.session_id] = _log_in(st.context.cookies)
            while len(_allowed) > _MOST_SESSIONS:
                _allowed.pop(next(iter(_allowed)))


def may_upload(path: str, cookies: Mapping[str, str]) -> bool:
    """Return whether a request with these cookies to write at this path may pass.

    True for every path that takes no files.
    """
    _, found, rest = path.partition(PATH)
    if not found:
        return True
    with _lock:
        log_in = _allowed.get(rest.partition("/")[0])
    return log_in is not None and hmac.compare_digest(log_in, _log_in(cookies))


def _log_in(cookies: Mapping[str, str]) -> bytes:
    """Return what a log-in is known by: its cookies, which Streamlit signs and which a long one is split into."""
    ours = sorted((name, value) for name, value in cookies.items() if name.startswith(USER_COOKIE_NAME))
    return hashlib.sha256(json.dumps(ours).encode()).digest()
