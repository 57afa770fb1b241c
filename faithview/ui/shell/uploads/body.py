"""The body of a request that brings a file, which goes to disk as it arrives."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException

from faithview.services.datasets import HeldFile
from faithview.ui.shell.uploads.folder import NewFile, UploadFolder
from faithview.ui.shell.uploads.form import FileForm

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]

_BLOCK_BYTES = 1 << 20
# What a form has around its file; Streamlit allows as much.
_FORM_BYTES = 1 << 20
_TOO_LARGE = 413
_BAD_REQUEST = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """An uploaded file on disk; where that failed `file` is None, and `failure` says why: "No space left on device"."""

    file: HeldFile | None
    failure: str = ""


class UploadBody:
    """Hands on a body with an empty file in place of the file, which is written to disk.

    Nothing is written before somebody asks for the body, so that a request that is refused leaves nothing.

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
            HTTPException: the file is too large (413), or the body is no form with one file or is cut short (400).
        """
        if self._is_read:
            return await self._receive()
        self._is_read = True
        form, received = FileForm(self._content_type), 0
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise HTTPException(_BAD_REQUEST, "The upload is cut short")
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
        """Return the upload, once; None where there is none."""
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
        """Write what has come; where that fails, the rest of the body is read and not kept, so that a page says why."""
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
