"""Where the dashboard listens, and what every request to it passes first.

Is the request addressed to us, sent by one of our pages, and allowed? The gate is an ASGI middleware, so it sees
the websocket too, over which a page gets everything. It comes before Streamlit's own routes: Streamlit accepts any
`Host` and pages of any port of this machine, and to decide about other origins it looks up this machine's external
address.
"""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import HTTPConnection

from faithview.domain.errors import InvalidInput
from faithview.hosts import ANY, Hosts, is_loopback
from faithview.ui.serving.upload_receiver import may_upload

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_Application = Callable[[_Message, _Receive, _Send], Awaitable[None]]

_MISDIRECTED = 421
_FORBIDDEN = 403
_NOT_FOUND = 404
_POLICY_VIOLATION = 1008
_LONGEST_NAME = 100
# Streamlit's own figures: sessions, caches and the memory that they take.
_STREAMLIT_METRICS = "/_stcore/metrics"
_READING = ("GET", "HEAD", "OPTIONS")

# Streamlit and Plotly write styles and run inline scripts, and components are modules made from text (blob:). What this
# keeps out is everything of another machine: no font, image, script or call goes there, and no other page shows us.
_CONTENT_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' data: blob:; worker-src 'self' blob:; "
    "connect-src 'self' data: blob: {socket}; frame-src 'self'; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'self'"
)
_HEADERS = (
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


class Gate:
    """Turns away requests under a stranger's name or from a stranger's page, and tells browsers what pages may load."""

    def __init__(self, app: _Application, *, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        """Answer one request or connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        host = _only(scope, b"host")
        if not self._hosts.answers_to(host):
            name = ascii((host or "")[:_LONGEST_NAME])
            text = (
                f"FaithView does not accept the host name {name}. If it is yours, add it to FAITHVIEW_ALLOWED_HOSTS.\n"
            )
            await _refuse(scope, receive, send, status=_MISDIRECTED, text=text)
        elif not self._hosts.accepts_page(_origin(scope), host=host):
            text = "FaithView accepts requests from its own pages only; another page sent this one.\n"
            await _refuse(scope, receive, send, status=_FORBIDDEN, text=text)
        elif _STREAMLIT_METRICS in scope["path"]:
            await _refuse(scope, receive, send, status=_NOT_FOUND, text="Metrics are not served.\n")
        elif scope.get("method", "GET") not in _READING and not may_upload(
            scope["path"], HTTPConnection(scope).cookies
        ):
            text = "This session may not upload files: log in as a reviewer or an admin.\n"
            await _refuse(scope, receive, send, status=_FORBIDDEN, text=text)
        else:
            await self._app(scope, receive, _with_headers(send, host=str(host)))


def _only(scope: _Message, name: bytes) -> str | None:
    """Return the value of a header; None if it is absent, or ambiguous because it is there twice."""
    values = [value for key, value in scope["headers"] if key.lower() == name]
    return values[0].decode("latin-1") if len(values) == 1 else None


def _origin(scope: _Message) -> str | None:
    sent = any(key.lower() == b"origin" for key, _ in scope["headers"])
    return (_only(scope, b"origin") or "") if sent else None


def _with_headers(send: _Send, *, host: str) -> _Send:
    # Safari took 'self' for http only, and the dashboard's websocket has another scheme. The host was checked.
    policy = _CONTENT_POLICY.format(socket=f"ws://{host} wss://{host}")
    added = (*_HEADERS, (b"content-security-policy", policy.encode("latin-1")))
    names = {name for name, _ in added}

    async def send_more(message: _Message) -> None:
        if message["type"] == "http.response.start":
            kept = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in names]
            message = {**message, "headers": [*kept, *added]}
        await send(message)

    return send_more


async def _refuse(scope: _Message, receive: _Receive, send: _Send, *, status: int, text: str) -> None:
    if scope["type"] == "websocket":
        await receive()  # "websocket.connect"; closed before it is accepted, the handshake fails with 403
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        return
    body = text.encode("ascii")
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode("ascii")),
        (b"cache-control", b"no-store"),
        *_HEADERS,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


THIS_MACHINE = "127.0.0.1"
_BASE_PATH = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
_EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened on


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The address and port to listen on, and the path in front of all pages, without slashes at its ends.

    Raises:
        InvalidInput: the path is none, or other machines can reach the address and no name is allowed: the dashboard
            would answer no request there.
    """

    port: int
    host: str = THIS_MACHINE
    base_path: str = ""
    hosts: Hosts = field(default_factory=Hosts)

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_path", self.base_path.strip("/"))
        if self.base_path and not _BASE_PATH.fullmatch(self.base_path):
            raise InvalidInput(
                f"{self.base_path!r} is not a valid path for --base-path. Use letters, digits, '.', '_', '~' and '-' "
                f"between "
                "slashes, for instance /faithview."
            )
        if not is_loopback(self.host) and not self.hosts.allowed:
            raise InvalidInput(
                f"With --host {self.host} other machines can reach the dashboard, and it accepts no host name that "
                "they could use. Set FAITHVIEW_ALLOWED_HOSTS to the names or addresses under which users open it."
            )

    @property
    def url(self) -> str:
        """The address to open: an allowed host name if this machine's own is not served."""
        return f"http://{self._name()}:{self.port}" + (f"/{self.base_path}" if self.base_path else "")

    def under(self, path: str) -> str:
        """Return a path of the server, which begins with the base path."""
        return "/" + "/".join(filter(None, (self.base_path, path)))

    def _name(self) -> str:
        named = next((name for name in self.hosts.names if name != ANY and not name.startswith("*.")), None)
        name = named or THIS_MACHINE if self.host in _EVERY_ADDRESS else self.host
        return f"[{name}]" if ":" in name else name
