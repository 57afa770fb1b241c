"""Checks of every request before the service sees it (host, token, body), and headers of every reply.

It is plain ASGI in front of FastAPI, which would read and parse a whole body before it asks for the token.
"""

import asyncio
import hashlib
import hmac
import logging
import time
import traceback
import zlib

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faithview.logs import log_event
from faithview.server.errors import Refused, error_reply
from faithview.server.metrics import Metrics
from faithview.server.settings import ServerSettings

_log = logging.getLogger(__name__)

JSON = "application/json"
PROTOBUF = "application/x-protobuf"
TRACES = "/v1/traces"

# Health probes have no token, and may address the service by its IP address. These paths reveal nothing.
PROBES = ("/health", "/ready")
# What the service can do is not a secret: its source is public.
OPEN = (*PROBES, "/openapi.json")

_SECURITY_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# Values in a body of JSON, about: each takes some hundred bytes once it is read, so megabytes of them take gigabytes.
_MOST_VALUES = 500_000


class Gate:
    """Wraps the service. The bodies of requests that are refused by their headers are not read."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, metrics: Metrics) -> None:
        self._app = app
        self._hosts = settings.hosts
        self._most = settings.limits.body_bytes
        self._metrics = metrics
        self._tokens = [hashlib.sha256(token.encode()).digest() for token in settings.tokens]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, began = 0, time.perf_counter()

        async def reply(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in _SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, await self._checked(scope, receive), reply)
        except Refused as refused:
            await error_reply(refused)(scope, receive, reply)
        except Exception as error:  # noqa: BLE001 - a border: FastAPI has answered with 500, and it is logged here
            # Without the error's own words, which may quote a text.
            calls = "".join(traceback.format_tb(error.__traceback__))
            _log.error("%s on %s\n%s", type(error).__name__, scope["path"], calls)
        finally:
            seconds = time.perf_counter() - began
            route = self._metrics.count_request(scope, status, seconds)
            log_event(_log, "service.request", level=logging.DEBUG, route=route, status=status, ms=seconds * 1000)

    async def _checked(self, scope: Scope, receive: Receive) -> Receive:
        """Return what gives the body of a request that may pass, whole and unpacked."""
        headers, path = Headers(scope=scope), scope["path"]
        hosts = headers.getlist("host")
        if path not in PROBES and (len(hosts) != 1 or not self._hosts.answers_to(hosts[0])):
            message = "The service does not answer for this host name; start it with --allowed-host NAME if it should."
            raise Refused(421, message)
        if self._tokens and path not in OPEN:
            self._check_token(headers.getlist("authorization"))
        if scope["method"] != "POST":
            return receive
        # A page in a browser can send forms and plain text to any address without being asked, but not these types.
        types = (JSON, PROTOBUF) if path == TRACES else (JSON,)
        kind, encoding = media_type(headers), headers.get("content-encoding", "identity").strip().lower()
        if kind not in types:
            raise Refused(415, f"The body must be sent as {' or '.join(types)}.")
        if encoding not in ("gzip", "identity", ""):
            raise Refused(415, "The body can be compressed only with gzip.", headers={"Accept-Encoding": "gzip"})
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > self._most:
            raise _too_large(self._most)
        body = await _read(Request(scope, receive), self._most)
        if encoding == "gzip":
            body = await asyncio.to_thread(_unpacked, body, self._most)
        if kind == JSON and body.count(b",") + body.count(b"[") + body.count(b"{") > _MOST_VALUES:
            raise Refused(413, f"The body has more than {_MOST_VALUES:,} values.")
        return _replayed(body, receive)

    def _check_token(self, given: list[str]) -> None:
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        digest = hashlib.sha256(token.strip(" ").encode("utf-8", "replace")).digest()
        # Every token is compared, and digests in constant time: how long it takes tells nothing about a token.
        is_right = sum(hmac.compare_digest(digest, known) for known in self._tokens)
        if not is_right or scheme.lower() != "bearer":
            message = (
                "Send the service's token: `Authorization: Bearer TOKEN`. The service's environment has it, by "
                "default in FAITHVIEW_TOKEN."
            )
            raise Refused(401, message, headers={"WWW-Authenticate": 'Bearer realm="faithview"'})


def media_type(headers: Headers) -> str:
    """Return the media type of a body, in lower case and without its parameters."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


async def _read(request: Request, most: int) -> bytes:
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise _too_large(most)
    except ClientDisconnect:
        raise Refused(400, "The body ended too early.") from None
    return bytes(body)


def _unpacked(body: bytes, most: int) -> bytes:
    """Return what a gzip file holds; one of a few bytes can hold gigabytes."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(body, most + 1)
    except zlib.error:
        raise Refused(400, "The body cannot be read as gzip.") from None
    if len(unpacked) > most:
        raise _too_large(most)
    if not unpacker.eof or unpacker.unused_data:
        raise Refused(400, "The body is not one whole gzip file.")
    return unpacked


def _too_large(most: int) -> Refused:
    return Refused(413, f"The body is longer than {most / 1024 / 1024:g} MB, perhaps after unpacking.")


def _replayed(body: bytes, receive: Receive) -> Receive:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay
