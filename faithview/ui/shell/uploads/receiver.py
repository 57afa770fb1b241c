"""Uploads go to disk as they arrive: a middleware between the server and what Streamlit does with an uploaded file.

Streamlit checks the request (its size, the session, the token against other sites' forms) and then reads the whole file
into memory. It goes on checking: the file leaves the body only when Streamlit asks for the body, and Streamlit is given
an empty one. Started with `streamlit run app.py`, there is no middleware, and pages open what Streamlit has in memory.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import streamlit as st
from starlette.datastructures import Headers

from faithview.ui.shell.uploads.body import UploadBody
from faithview.ui.shell.uploads.folder import UploadFolder
from faithview.ui.shell.uploads.held import hold
from faithview.ui.shell.uploads.permission import PATH

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
