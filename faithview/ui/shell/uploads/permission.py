"""Which sessions may upload a file.

Streamlit takes a file from every open session, whether its page has asked for one or not. Every run of the script says
here whether its session may; the gate turns the other sessions' files away.
"""

from threading import Lock

from streamlit.runtime.scriptrunner import get_script_run_ctx

PATH = "/_stcore/upload_file/"
# Far more sessions than one server holds; the oldest is forgotten first.
_MOST_SESSIONS = 10_000

_lock = Lock()
_allowed: dict[str, None] = {}


def allow_uploads(allowed: bool) -> None:
    """Say whether the session that this script runs for may upload."""
    context = get_script_run_ctx()
    if context is None:
        return
    with _lock:
        _allowed.pop(context.session_id, None)
        if allowed:
            _allowed[context.session_id] = None
            while len(_allowed) > _MOST_SESSIONS:
                _allowed.pop(next(iter(_allowed)))


def may_upload(path: str) -> bool:
    """Return whether a request to write at this path may pass; true for every path that takes no files."""
    _, found, rest = path.partition(PATH)
    if not found:
        return True
    with _lock:
        return rest.partition("/")[0] in _allowed
