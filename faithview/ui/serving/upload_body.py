"""The body of a request that brings a file: the file goes to disk apart from the form, while both arrive."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException

from faithview.formats.files.source import HeldFile
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
