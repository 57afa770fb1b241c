"""Uploads go to disk as they arrive: a middleware between the server and what Streamlit does with an uploaded file.

Streamlit checks the request (its size, the session, the token against other sites' forms) and then reads the whole file
into memory. It goes on checking: the file leaves the body only when Streamlit asks for the body, and Streamlit is given
an empty one. Started with `streamlit run app.py`, there is no middleware, and pages open what Streamlit has in memory.

Streamlit's record of a file is dropped when the user removes or replaces the file, and when the session ends. It alone
holds the file on disk, which goes with it; who is still reading the file holds it until the end (`HeldFile`). A session
that uploads one file after the other, which no page does, loses the oldest when a new one is complete: what it keeps
cannot fill the disk.

Streamlit accepts a file for every open session from every client that knows the session's id, whether its page has
asked for one or not. Every run of the script says here whether its session may upload; the gate turns the other
sessions' files away, and those of clients whose log-in is not the session's.
"""

import asyncio
import hashlib
import hmac
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from threading import Lock
from typing import Any

import streamlit as st
from starlette.datastructures import Headers
from streamlit.runtime import get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from faithview.services.dataset_files import Dataset
from faithview.ui.serving.upload_body import Upload, UploadBody
from faithview.ui.serving.upload_folder import UploadFolder

_LOOK_EVERY_S = 15
_LEAST_BETWEEN_LOOKS_S = 1  # a server may be set to keep no session whose page is closed
# All files of a session together may be as large as this many of the largest allowed upload. A page has one or two.
_LARGEST_FILES = 4

_log = logging.getLogger(__name__)

# When the sessions with files were open last, and the ids of their files, the newest last; only the thread that serves
# requests asks and writes.
_last_open: dict[str, float] = {}
_file_ids: dict[str, list[str]] = {}


class OnDisk(bytes):
    """The content of a record whose file is on disk: for Streamlit no bytes at all."""

    upload: Upload
    opened: Dataset | None

    def __new__(cls, upload: Upload) -> "OnDisk":
        """Make the content of a record that represents an upload."""
        content = super().__new__(cls)
        content.upload, content.opened = upload, None
        return content


def hold(session_id: str, file_id: str, upload: Upload, *, largest: int) -> None:
    """Give an upload to Streamlit's record of it; nothing if the session has ended, and so the record is gone.

    `largest` is the size in bytes of the largest file that may be uploaded. The oldest files are dropped where
    all of them together are larger than four of these.
    """
    records = get_instance().uploaded_file_mgr
    if not isinstance(records, MemoryUploadedFileManager):
        raise TypeError(f"Streamlit keeps uploads in {type(records).__name__}, where FaithView cannot put a file.")
    for record in records.get_files(session_id, [file_id]):
        records.add_file(session_id, record._replace(data=OnDisk(upload)))
        _last_open[session_id] = time.monotonic()
        _drop_oldest(records, session_id, newest=file_id, most_bytes=_LARGEST_FILES * largest)


def _drop_oldest(records: MemoryUploadedFileManager, session_id: str, *, newest: str, most_bytes: int) -> None:
    ids = [file_id for file_id in _file_ids.get(session_id, []) if file_id != newest]
    kept = records.get_files(session_id, [*ids, newest])
    sizes = [_size(record.data) for record in kept]
    excess = sum(sizes) - most_bytes
    dropped = 0
    while excess > 0 and dropped < len(kept) - 1:
        records.remove_file(session_id, kept[dropped].file_id)
        excess -= sizes[dropped]
        dropped += 1
    if dropped:
        _log.warning("A session has uploaded more than %d bytes: its oldest %d files are deleted.", most_bytes, dropped)
    _file_ids[session_id] = [record.file_id for record in kept[dropped:]]


def _size(content: bytes) -> int:
    held = content.upload.file if isinstance(content, OnDisk) else None
    return len(content) if held is None else held.size


async def delete_of_closed_sessions() -> None:
    """Delete the files of sessions whose page is closed for so long that it cannot come back, as long as this runs.

    Streamlit ends such a session when it next looks at its sessions, which on a quiet server may be never.
    """
    wait_s = st.get_option("server.disconnectedSessionTTL")
    look_every_s = max(_LEAST_BETWEEN_LOOKS_S, min(_LOOK_EVERY_S, wait_s))
    while True:
        await asyncio.sleep(look_every_s)
        runtime, now = get_instance(), time.monotonic()
        for session_id, last_open in list(_last_open.items()):
            if runtime.is_active_session(session_id):
                _last_open[session_id] = now
            elif now - last_open > wait_s + look_every_s:  # it was closed after the last look at which it was open
                runtime.uploaded_file_mgr.remove_session_files(session_id)
                del _last_open[session_id]
                _file_ids.pop(session_id, None)


def held_content(file: UploadedFile) -> OnDisk | None:
    """Return what the session's record of a file has in place of bytes; None if it has the bytes."""
    context = get_script_run_ctx()
    if context is None:
        return None
    records = context.uploaded_file_mgr.get_files(context.session_id, [file.file_id])
    return next((record.data for record in records if isinstance(record.data, OnDisk)), None)


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


_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_Application = Callable[[_Message, _Receive, _Send], Awaitable[None]]

_MEGABYTE = 1 << 20
_TAKEN = 204


class Receiver:
    """Writes uploaded files into a folder, and tells Streamlit's record of each where it is."""

    def __init__(self, app: _Application, *, folder: UploadFolder) -> None:
        self._app = app
        self._folder = folder

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        """Answer one request or connection."""
        address = _address(scope)
        if address is None:
            await self._app(scope, receive, send)
            return
        session_id, file_id = address
        largest = st.get_option("server.maxUploadSize") * _MEGABYTE
        body = UploadBody(
            receive,
            content_type=Headers(raw=scope["headers"]).get("content-type", ""),
            folder=self._folder,
            most_bytes=largest,
        )

        async def keeping(message: _Message) -> None:
            # Before the browser hears of it, which then has the page run.
            if message["type"] == "http.response.start" and message["status"] == _TAKEN:
                upload = body.take()
                if upload is not None:
                    hold(session_id, file_id, upload, largest=largest)
            await send(message)

        try:
            await self._app(scope, body.receive, keeping)
        finally:
            body.drop()


def _address(scope: _Message) -> tuple[str, str] | None:
    """Return the ids of the session and the file that a request brings; None for any other request."""
    if scope["type"] != "http" or scope["method"] != "PUT":
        return None
    _, found, rest = scope["path"].partition(PATH)
    session_id, between, file_id = rest.partition("/")
    return (session_id, file_id) if found and between else None
