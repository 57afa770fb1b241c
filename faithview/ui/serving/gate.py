"""The check of every request to the dashboard: is it addressed to us, sent by one of our pages, and allowed?

An ASGI middleware before Streamlit's own routes, so it sees the websocket too, over which a page gets everything.
Streamlit accepts any `Host` and pages of any port of this machine.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from streamlit.runtime.scriptrunner import get_script_run_ctx

from faithview.hosts import Hosts

_LONGEST_NAME = 100
# Streamlit's own figures: sessions, caches and the memory that they take.
_METRICS = "/_stcore/metrics"
_UPLOADS = "/_stcore/upload_file/"
_READING = ("GET", "HEAD", "OPTIONS")

# Streamlit and Plotly write styles and run inline scripts, and components are modules made from text (blob:). What this
# keeps out is everything of another machine: no font, image, script or call goes there, and no other page shows us.
_CONTENT_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' data: blob:; worker-src 'self' blob:; "
    "connect-src 'self' data: blob: {socket}; frame-src 'self'; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'self'"
)
_HEADERS = {
    "x-frame-options": "SAMEORIGIN",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
# The sessions whose user may upload: Streamlit itself takes a file for every open session, asked for or not.
_uploading: set[str] = set()


def allow_uploads(allowed: bool) -> None:
    """Say whether the session that this script runs for may upload; every run of the script says it."""
    context = get_script_run_ctx()
    if context is not None:
        (_uploading.add if allowed else _uploading.discard)(context.session_id)


class Gate:
    """Turns away requests under a stranger's name or from a stranger's page, and tells browsers what pages may load."""

    def __init__(self, app: ASGIApp, *, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""  # one that is there twice is ambiguous

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = MutableHeaders(scope=message)
                added.update(_HEADERS)
                # Safari took 'self' for http only, and the dashboard's websocket has another scheme.
                added["content-security-policy"] = _CONTENT_POLICY.format(socket=f"ws://{host} wss://{host}")
            await send(message)

        refusal = self._refusal(scope, host, headers.getlist("origin"))
        if refusal is None:
            await self._app(scope, receive, send_guarded)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(1008)  # before it is accepted: the handshake fails with 403
        else:
            status, text = refusal
            response = PlainTextResponse(text, status, headers={**_HEADERS, "cache-control": "no-store"})
            await response(scope, receive, send)

    def _refusal(self, scope: Scope, host: str, origins: list[str]) -> tuple[int, str] | None:
        """Return the status and the text with which a request is turned away; None if it may pass."""
        origin = None if not origins else origins[0] if len(origins) == 1 else ""
        _, is_upload, session_and_file = scope["path"].partition(_UPLOADS)
        if not self._hosts.answers_to(host):
            name = ascii(host[:_LONGEST_NAME])
            return 421, f"FaithView does not accept the host name {name}. Add yours to FAITHVIEW_ALLOWED_HOSTS.\n"
        if not self._hosts.accepts_page(origin, host=host):
            return 403, "FaithView accepts requests from its own pages only; another page sent this one.\n"
        if _METRICS in scope["path"]:
            return 404, "Metrics are not served.\n"
        is_writing = scope.get("method", "GET") not in _READING
        if is_upload and is_writing and session_and_file.partition("/")[0] not in _uploading:
            return 403, "This session may not upload files: log in as a reviewer or an admin.\n"
        return None
