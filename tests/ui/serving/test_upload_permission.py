"""Whose files are taken for a session: those of the log-in that its page was opened with."""

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from faithview.hosts import Hosts
from faithview.ui.serving import upload_receiver
from faithview.ui.serving.gate import Gate

_USER = "_streamlit_user"


@pytest.fixture(autouse=True)
def _nobody_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_receiver, "_allowed", {})


def _allow(monkeypatch: pytest.MonkeyPatch, session: str, cookies: Mapping[str, str], *, allowed: bool = True) -> None:
    """Have the script of a session run, whose page was opened with these cookies."""
    monkeypatch.setattr(upload_receiver, "get_script_run_ctx", lambda: SimpleNamespace(session_id=session))
    monkeypatch.setattr("streamlit.context", SimpleNamespace(cookies=cookies))
    upload_receiver.allow_uploads(allowed)


def _status(method: str, path: str, cookie: str = "") -> int:
    """Return what the gate answers; 204 is what it has let through."""
    statuses = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def send(message: Any) -> None:
        statuses.append(message.get("status"))

    headers = [(b"host", b"localhost:8501"), *([(b"cookie", cookie.encode())] if cookie else [])]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    asyncio.run(Gate(app, hosts=Hosts())(scope, asyncio.Future, send))
    return int(statuses[0])


@pytest.mark.parametrize("method", ["PUT", "DELETE", "POST"])
def test_a_file_is_taken_from_the_log_in_of_the_session_alone(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    _allow(monkeypatch, "s1", {_USER: "ada", "_streamlit_xsrf": "a"})
    path = "/_stcore/upload_file/s1/file"
    assert _status(method, path, f"{_USER}=ada; _streamlit_xsrf=b; other=c") == 204
    for other in ("", f"{_USER}=eve", f"{_USER}=ada; {_USER}__1=eve", f"{_USER}__1=ada", "user=ada"):
        assert _status(method, path, other) == 403
    assert _status(method, "/_stcore/upload_file/s2/file", f"{_USER}=ada") == 403


def test_a_session_without_a_log_in_takes_files_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    _allow(monkeypatch, "s1", {"faithview_reviewer": "ada"})
    assert _status("PUT", "/base/_stcore/upload_file/s1/file") == 204
    assert _status("PUT", "/base/_stcore/upload_file/s1/file", f"{_USER}=eve") == 403
    _allow(monkeypatch, "s1", {}, allowed=False)
    assert _status("PUT", "/base/_stcore/upload_file/s1/file") == 403


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
@pytest.mark.parametrize("path", ["/_stcore/metrics", "/base/_stcore/metrics", "/_stcore/metrics/"])
def test_streamlit_s_figures_are_not_shown(method: str, path: str) -> None:
    assert _status(method, path) == 404
