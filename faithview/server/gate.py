"""Checks of every request before the service sees it (host, token, body), and headers of every reply.

It is plain ASGI, because one of Starlette's middlewares takes as long as everything here together.
"""

import asyncio
import hashlib
import hmac
import logging
import time
import traceback
import zlib
from contextlib import nullcontext

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faithview.logs import log_event
from faithview.server import metrics
from faithview.server.errors import (
    BAD_REQUEST,
    BUSY,
    TOO_LARGE,
    UNAUTHORIZED,
    UNSUPPORTED_TYPE,
    WRONG_HOST,
    Refused,
    internal_error,
)
from faithview.server.settings import ServerSettings
from faithview.server.waiting_line import Turns

_log = logging.getLogger(__name__)

JSON = "application/json"
PROTOBUF = "application/x-protobuf"
TRACES = "/v1/traces"

# Health probes have no token, and may address the service by its IP address. These paths reveal nothing.
PROBES = ("/health", "/ready")
# What the service can do is no secret: its source is public.
OPEN = (*PROBES, "/openapi.json", "/docs")

_SECURITY_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# A gzip file may be several, one after the other; clients send one.
_MOST_MEMBERS = 16


class Gate:
    """Wraps the service. Refused requests never reach it, and their bodies are not read."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, counts: metrics.Metrics) -> None:
        self._app = app
        self._hosts = settings.hosts
        self._limits = settings.limits
        self._metrics = counts
        self._tokens = [hashlib.sha256(token.encode()).digest() for token in settings.tokens]
        self._under_way = 0
        self._exports = Turns(at_once=settings.limits.exports_at_once, waiting=settings.limits.exports_waiting)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take one connection's request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        reply = _Reply(send)
        start = time.perf_counter()
        self._under_way += 1
        try:
            await self._pass_on(scope, receive, reply)
        except Refused as refused:
            await refused.response()(scope, receive, reply)
        except Exception as error:  # noqa: BLE001 - a border: answered with 500 and logged
            # Without the error's own words, which may quote a text.
            _log.error(
                "%s on %s\n%s", type(error).__name__, scope["path"], "".join(traceback.format_tb(error.__traceback__))
            )
            if not reply.status:
                await internal_error().response()(scope, receive, reply)
        finally:
            self._under_way -= 1
            seconds = time.perf_counter() - start
            self._metrics.count_request(scope, reply.status, seconds)
            if _log.isEnabledFor(logging.DEBUG):
                route = self._metrics.route_of(scope)
                log_event(
                    _log, "service.request", level=logging.DEBUG, route=route, status=reply.status, ms=seconds * 1000
                )

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        path: str = scope["path"]
        if path not in PROBES:
            self._check_host(headers)
        if path not in OPEN:
            self._check_token(headers)
        if scope["method"] == "POST":
            if self._under_way > self._limits.requests_at_once:
                raise Refused(BUSY, "Too many requests are in progress.", retry_after_s=1)
            self._check_type(headers, path)
            body = await self._body(headers, receive)
            # Exports come in bursts and cost the most, and what is logged must not wait behind them.
            async with self._exports.one() if path == TRACES else nullcontext():
                if _encoding_of(headers) == "gzip":
                    body = await asyncio.to_thread(_unpacked, body, self._limits.body_bytes)
                await self._app(scope, _replayed(body, receive), send)
            return
        await self._app(scope, receive, send)

    def _check_host(self, headers: Headers) -> None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._hosts.answers_to(hosts[0]):
            message = "The service does not answer for this host name; start it with --allowed-host NAME if it should."
            raise Refused(WRONG_HOST, message)

    def _check_token(self, headers: Headers) -> None:
        if not self._tokens:
            return
        given = headers.getlist("authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        digest = hashlib.sha256(token.strip(" ").encode("utf-8", "replace")).digest()
        # Every token is compared, and digests in constant time: how long it takes tells nothing about a token.
        is_right = sum(hmac.compare_digest(digest, known) for known in self._tokens)
        if not is_right or scheme.lower() != "bearer":
            message = (
                "Send the service's token: `Authorization: Bearer TOKEN`. The service's environment has it, by "
                "default in FAITHVIEW_TOKEN."
            )
            raise Refused(UNAUTHORIZED, message)

    def _check_type(self, headers: Headers, path: str) -> None:
        # A page in a browser can send forms and plain text to any address without being asked, but not these types.
        types = (JSON, PROTOBUF) if path == TRACES else (JSON,)
        if media_type(headers) not in types:
            raise Refused(UNSUPPORTED_TYPE, f"The body must be sent as {' or '.join(types)}.")

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        """Return the body as it was sent."""
        most = self._limits.body_bytes
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > most:
            raise _too_large(most)
        if _encoding_of(headers) not in ("gzip", "identity", ""):
            raise Refused(UNSUPPORTED_TYPE, "The body can be compressed only with gzip.")
        return await _read(receive, most)


def media_type(headers: Headers) -> str:
    """Return the media type of a body, in lower case and without its parameters."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _encoding_of(headers: Headers) -> str:
    return headers.get("content-encoding", "identity").strip().lower()


class _Reply:
    """Passes a reply on to the client, with the headers that every reply has, and remembers its status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in _SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)


async def _read(receive: Receive, most: int) -> bytes:
    pieces: list[bytes] = []
    length = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":  # the client is gone
            raise Refused(BAD_REQUEST, "The body ended too early.")
        pieces.append(message.get("body", b""))
        length += len(pieces[-1])
        if length > most:
            raise _too_large(most)
        if not message.get("more_body"):
            return b"".join(pieces)


def _unpacked(body: bytes, most: int) -> bytes:
    """Return what a gzip file holds; one of a few bytes can hold gigabytes, and one of megabytes any number of members.

    Raises:
        Refused: it is not whole, holds more than `most` bytes, or consists of too many members.
    """
    pieces: list[bytes] = []
    length = 0
    for _ in range(_MOST_MEMBERS):
        unpacker = zlib.decompressobj(wbits=31)
        try:
            pieces.append(unpacker.decompress(body, most - length + 1))
        except zlib.error:
            raise Refused(BAD_REQUEST, "The body cannot be read as gzip.") from None
        length += len(pieces[-1])
        if length > most:
            raise _too_large(most)
        if not unpacker.eof:
            raise Refused(BAD_REQUEST, "The body ended too early.")
        body = unpacker.unused_data
        if not body:
            return b"".join(pieces)
    raise Refused(BAD_REQUEST, f"The body consists of more than {_MOST_MEMBERS} gzip files; pack it as one.")


def _too_large(most: int) -> Refused:
    return Refused(TOO_LARGE, f"The body is longer than {most / 1024 / 1024:g} MB, perhaps after unpacking.")


def _replayed(body: bytes, receive: Receive) -> Receive:
    is_sent = False

    async def replay() -> Message:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
