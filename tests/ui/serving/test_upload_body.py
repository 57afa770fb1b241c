"""A request's body whose file goes to disk: what is handed on, what is refused, and what is left behind."""

import asyncio
import errno
import os
from collections.abc import Iterator, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from faithview.ui.serving import upload_folder
from faithview.ui.serving.upload_folder import NewFile, UploadFolder
from faithview.ui.serving.upload_receiver import UploadBody

_BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW"
_TYPE = f"multipart/form-data; boundary={_BOUNDARY}"
_CONTENT = bytes(range(256)) * 3 + b"\r\n------WebKit\r\n--" + b"\r\n" * 5
_MOST = 10_000
_GONE: MutableMapping[str, Any] = {"type": "http.disconnect"}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[UploadFolder]:
    made = UploadFolder(tmp_path)
    yield made
    made.close()


def _part(content: bytes, *, name: str = "file", filename: str | None = "my answers.csv") -> bytes:
    named = f'; filename="{filename}"' if filename is not None else ""
    head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{named}\r\nContent-Type: text/csv\r\n\r\n'
    return head.encode() + content + b"\r\n"


_END = f"--{_BOUNDARY}--\r\n".encode()
_FORM = _part(_CONTENT) + _END


def _body(
    folder: UploadFolder, pieces: Sequence[bytes | MutableMapping[str, Any]], *, most: int = _MOST, kind: str = _TYPE
) -> UploadBody:
    messages = [
        piece
        if isinstance(piece, MutableMapping)
        else {"type": "http.request", "body": piece, "more_body": at < len(pieces)}
        for at, piece in enumerate(pieces, start=1)
    ]
    waiting = iter(messages)

    async def receive() -> MutableMapping[str, Any]:
        return next(waiting)

    return UploadBody(receive, content_type=kind, folder=folder, most_bytes=most)


def _read(body: UploadBody, *, kind: str = _TYPE) -> list[tuple[str | None, str | None, bytes]]:
    """Read the body as Streamlit does; return the form's files with their names, types and bytes."""
    scope = {"type": "http", "method": "PUT", "headers": [(b"content-type", kind.encode())]}

    async def read() -> list[tuple[str | None, str | None, bytes]]:
        async with Request(scope, body.receive).form() as form:
            files = [value for value in form.values() if not isinstance(value, str)]
            return [(file.filename, file.content_type, await file.read()) for file in files]

    return asyncio.run(read())


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("size", [1, 2, 7, 64, len(_FORM)])
def test_the_file_goes_to_disk_and_the_form_with_an_empty_one_on(
    folder: UploadFolder, tmp_path: Path, size: int
) -> None:
    pieces = [_FORM[at : at + size] for at in range(0, len(_FORM), size)]
    body = _body(folder, pieces)
    assert _read(body) == [("my answers.csv", "text/csv", b"")]
    upload = body.take()
    assert upload is not None
    assert upload.file is not None
    assert upload.file.path.read_bytes() == _CONTENT
    body.drop()
    assert _files(tmp_path) == [upload.file.path]


def test_an_empty_file_is_a_file(folder: UploadFolder) -> None:
    body = _body(folder, [_part(b"") + _END])
    _read(body)
    upload = body.take()
    assert upload is not None
    assert upload.file is not None
    assert upload.file.path.read_bytes() == b""


def test_a_body_that_nobody_asks_for_leaves_nothing(folder: UploadFolder, tmp_path: Path) -> None:
    body = _body(folder, [_FORM])
    body.drop()
    assert body.take() is None
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_nobody_takes_is_deleted(folder: UploadFolder, tmp_path: Path) -> None:
    body = _body(folder, [_FORM])
    _read(body)
    assert len(_files(tmp_path)) == 1
    body.drop()
    assert _files(tmp_path) == []


@pytest.mark.parametrize(
    ("pieces", "status"),
    [
        ([_part(b"x" * 10_001) + _END], 413),
        ([_part(b"x" * 6_000), _GONE], 400),
        ([_part(b"x" * 6_000)], 400),
        ([_part(b"x" * 6_000)[:-1000], _GONE], 400),
        ([_part(b"a") + _part(b"b", name="more") + _END], 400),
        ([_part(b"y" * 70_000, filename=None) + _END], 400),
        ([b"no form at all"], 400),
        ([b"\r\n" * 5_000_000], 413),
        ([b""], 400),
    ],
    ids=["too large", "gone after", "cut short", "gone within", "two files", "fields", "no form", "lines", "empty"],
)
def test_a_bad_body_is_refused_and_leaves_nothing(
    folder: UploadFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pieces: list[bytes | MutableMapping[str, Any]],
    status: int,
) -> None:
    # So that some of it is on disk by then.
    monkeypatch.setattr("faithview.ui.serving.upload_receiver._BLOCK_BYTES", 1000)
    body = _body(folder, pieces)
    with pytest.raises(HTTPException) as raised:
        asyncio.run(body.receive())
    body.drop()
    assert raised.value.status_code == status
    assert body.take() is None
    assert _files(tmp_path) == []


def test_a_file_of_exactly_the_limit_is_taken(folder: UploadFolder) -> None:
    body = _body(folder, [_part(b"x" * _MOST) + _END])
    _read(body)
    assert body.take() is not None


@pytest.mark.parametrize("full_at", [0, 1, 3])
def test_a_full_disk_is_said_and_leaves_nothing(
    folder: UploadFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full_at: int
) -> None:
    monkeypatch.setattr("faithview.ui.serving.upload_receiver._BLOCK_BYTES", 100)
    written = 0
    write = NewFile.write

    def write_until_full(self: NewFile, content: bytes) -> None:
        nonlocal written
        if written == full_at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written += 1
        write(self, content)

    monkeypatch.setattr(upload_folder.NewFile, "write", write_until_full)
    body = _body(folder, [_FORM[at : at + 100] for at in range(0, len(_FORM), 100)])
    assert _read(body) == [("my answers.csv", "text/csv", b"")]  # all of it is read, so that the browser is answered
    upload = body.take()
    assert upload is not None
    assert (upload.file, upload.failure) == (None, "No space left on device")
    assert _files(tmp_path) == []
