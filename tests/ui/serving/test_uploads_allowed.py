"""Which session's files are taken: those of a page whose user may upload."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from faithview.hosts import Hosts
from faithview.ui.serving import gate
from faithview.ui.serving.gate import Gate


def _status(method: str, path: str) -> int:
    """Return what the gate answers; 204 is what it has let through."""
    statuses = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def send(message: Any) -> None:
        statuses.append(message.get("status"))

    scope = {"type": "http", "method": method, "path": path, "headers": [(b"host", b"localhost:8501")]}
    asyncio.run(Gate(app, hosts=Hosts())(scope, asyncio.Future, send))
    return int(statuses[0])


@pytest.mark.parametrize("method", ["PUT", "DELETE", "POST"])
def test_a_file_is_taken_only_while_the_page_says_that_its_user_may(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(gate, "get_script_run_ctx", lambda: SimpleNamespace(session_id="s1"))
    path = "/base/_stcore/upload_file/s1/file"
    assert _status(method, path) == 403
    gate.allow_uploads(True)
    assert _status(method, path) == 204
    assert _status(method, "/_stcore/upload_file/s2/file") == 403
    gate.allow_uploads(False)
    assert _status(method, path) == 403


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/base/_stcore/metrics", "/_stcore/metrics/"])
def test_streamlit_s_figures_are_not_shown(path: str) -> None:
    assert _status("GET", path) == 404
