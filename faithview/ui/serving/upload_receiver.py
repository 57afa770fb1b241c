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
from dataclasses import dataclass
from threading import Lock
from typing import Any

import streamlit as st
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from streamlit.runtime import get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from faithview.formats.files.source import HeldFile
from faithview.services.dataset_files import Dataset
from faithview.ui.serving.upload_folder import NewFile, UploadFolder

_MOST_FORM_BYTES = 1 << 16
_BAD_REQUEST = 400


class FileForm:
    """Takes a form piece by piece, and keeps all of it but what is in its file.

    Args:
        content_type: the request's, which says what separates the parts of the form.

    Raises:
        HTTPException: the body is not such a form (400).
    """

    def __init__(self, content_type: str) -> None:
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise HTTPException(_BAD_REQUEST, "Expected a form with a file")
        self._between = b"--" + boundary
        self._form = bytearray()
        self._field = self._value = b""
        self._part_is_file = self._has_file = self._is_complete = False
        self._pieces: list[bytes] = []
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin_part,
                    "on_header_field": self._add_to_field,
                    "on_header_value": self._add_to_value,
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._end_headers,
                    "on_part_data": self._add_data,
                    "on_part_end": self._end_part,
                    "on_end": self._end,
                },
            )
        except FormParserError as error:
            raise HTTPException(_BAD_REQUEST, "Invalid form") from error

    def feed(self, content: bytes) -> list[bytes]:
        """Take a piece of the form and return what of the file is in it; raises HTTPException for a damaged form."""
        try:
            self._parser.write(content)
        except FormParserError as error:
            raise HTTPException(_BAD_REQUEST, "Invalid form") from error
        if len(self._form) + len(self._field) + len(self._value) > _MOST_FORM_BYTES:
            raise HTTPException(_BAD_REQUEST, "Too many fields")
        pieces, self._pieces = self._pieces, []
        return pieces

    def rest(self) -> bytes:
        """Return the form with an empty file; raises HTTPException if it is truncated."""
        if not self._is_complete:
            raise HTTPException(_BAD_REQUEST, "The upload is truncated")
        return bytes(self._form) + self._between + b"--\r\n"

    def _begin_part(self) -> None:
        self._form += self._between + b"\r\n"
        self._part_is_file = False

    def _add_to_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _add_to_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        self._form += self._field + b": " + self._value + b"\r\n"
        if self._field.lower() == b"content-disposition":
            self._part_is_file = b"filename" in parse_options_header(self._value)[1]
        self._field = self._value = b""

    def _end_headers(self) -> None:
        if self._part_is_file and self._has_file:
            raise HTTPException(_BAD_REQUEST, "Expected 1 file, but got more")
        self._has_file = self._has_file or self._part_is_file
        self._form += b"\r\n"

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        if self._part_is_file:
            self._pieces.append(data[start:end])
        else:
            self._form += data[start:end]

    def _end_part(self) -> None:
        self._form += b"\r\n"

    def _end(self) -> None:
        self._is_complete = True


_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]

_BLOCK_BYTES = 1 << 20
# What a form has around its file; Streamlit allows as much.
_FORM_BYTES = 1 << 20
_TOO_LARGE = 413


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """An uploaded file on disk; where that failed `file` is None, and `failure` says why: "No space left on device"."""

    file: HeldFile | None
    failure: str = ""


class UploadBody:
    """Hands on a body with an empty file in place of the file, which is written to disk.

    Nothing is written before the body is requested, so a refused request leaves nothing behind.

    Args:
        receive: where the body comes from.
        content_type: the request's header.
        folder: where the file goes.
        most_bytes: the largest file that is taken.
    """

    def __init__(self, receive: _Receive, *, content_type: str, folder: UploadFolder, most_bytes: int) -> None:
        self._receive = receive
        self._content_type = content_type
        self._folder = folder
        self._most_bytes = most_bytes
        self._is_read = False
        self._blocks: list[bytes] = []
        self._waiting = self._size = 0
        self._file: NewFile | None = None
        self._failure = ""
        self._upload: Upload | None = None

    async def receive(self) -> _Message:
        """Return the body in one message, once the file is on disk, and then what else the server says.

        Raises:
            HTTPException: the file is too large (413), or the body is not a form with one file, or is truncated (400).
        """
        if self._is_read:
            return await self._receive()
        self._is_read = True
        form, received = FileForm(self._content_type), 0
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise HTTPException(_BAD_REQUEST, "The upload is truncated")
            content = message.get("body", b"")
            received += len(content)
            if received > self._most_bytes + _FORM_BYTES:
                raise HTTPException(_TOO_LARGE, "File too large")
            await self._take(form.feed(content))
            if not message.get("more_body", False):
                break
        rest = form.rest()
        await asyncio.to_thread(self._finish)
        return {"type": "http.request", "body": rest, "more_body": False}

    def take(self) -> Upload | None:
        """Return the upload, once; None if there is none."""
        upload, self._upload = self._upload, None
        return upload

    def drop(self) -> None:
        """Delete the file unless it was taken."""
        self._upload = None
        if self._file is not None:
            self._file.drop()
            self._file = None

    async def _take(self, pieces: list[bytes]) -> None:
        self._blocks += pieces
        count = sum(map(len, pieces))
        self._waiting += count
        self._size += count
        if self._size > self._most_bytes:
            raise HTTPException(_TOO_LARGE, "File too large")
        if self._waiting >= _BLOCK_BYTES:
            await asyncio.to_thread(self._write)

    def _write(self) -> None:
        """Write what has arrived; if that fails, read and discard the rest of the body, so a page can say why."""
        content = b"".join(self._blocks)
        self._blocks, self._waiting = [], 0
        if self._failure:
            return
        try:
            if self._file is None:
                self._file = self._folder.new_file()
            self._file.write(content)
        except OSError as error:
            self._fail(error)

    def _finish(self) -> None:
        self._write()
        held = None
        try:
            held = None if self._file is None else self._file.keep()
            self._file = None
        except OSError as error:
            self._fail(error)
        self._upload = Upload(file=held, failure=self._failure)

    def _fail(self, error: OSError) -> None:
        self._failure = error.strerror or type(error).__name__
        if self._file is not None:
            self._file.drop()
            self._file = None


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
