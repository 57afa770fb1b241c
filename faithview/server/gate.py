"""Checks of every request before the service sees it (host, token, rate, body), and headers of every reply.

It is plain ASGI, because one of Starlette's middlewares takes as long as everything here together.
"""

import asyncio
import hashlib
import hmac
import logging
import re
import time
import traceback
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, nullcontext

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faithview.logs import log_event
from faithview.server import metrics
from faithview.server.errors import (
    BAD_REQUEST,
    BUSY,
    RATE_LIMITED,
    SLOW_BODY,
    TOO_LARGE,
    UNAUTHORIZED,
    UNSUPPORTED_TYPE,
    WRONG_HOST,
    Refused,
    internal_error,
)
from faithview.server.settings import ServerSettings
from faithview.server.waiting_line import Turns

# Clients beyond these are forgotten, least recently seen first: a new client starts with a full bucket.
_MOST_CLIENTS = 10_000


class RateLimit:
    """Lets each client send `rate` requests per second, and as many at once. Used from one event loop."""

    def __init__(self, rate: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = max(1.0, rate)
        self._clock = clock
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, client: Hashable) -> float:
        """Count a request; return 0 if it may pass, else the seconds after which the next one may."""
        if not self._rate:
            return 0.0
        now = self._clock()
        left, at = self._buckets.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        passes = left >= 1
        self._buckets[client] = (left - 1 if passes else left, now)
        if len(self._buckets) > _MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if passes else (1 - left) / self._rate


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
# One that is not closed goes to the end, as nothing behind it is read.
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)

Take = Callable[[int], None]


class Gate:
    """Wraps the service. Refused requests never reach it, and their bodies are not read."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, counts: metrics.Metrics) -> None:
        self._app = app
        self._hosts = settings.hosts
        self._limits = settings.limits
        self._metrics = counts
        self._rate = RateLimit(settings.limits.requests_a_second)
        self._tokens = [hashlib.sha256(token.encode()).digest() for token in settings.tokens]
        self._under_way = 0
        self._bodies = _Bodies(max(settings.limits.bodies_bytes, 2 * settings.limits.body_bytes))
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
            self._check_client(headers, scope)
        if scope["method"] == "POST":
            if self._under_way > self._limits.requests_at_once:
                raise Refused(BUSY, "Too many requests are in progress.", retry_after_s=1)
            self._check_type(headers, path)
            with self._bodies.taken() as take:
                body = await self._body(headers, receive, take)
                # Exports come in bursts and cost the most, and what is logged must not wait behind them.
                async with self._exports.one() if path == TRACES else nullcontext():
                    body = await self._opened(headers, body, take)
                    await self._app(scope, _replayed(body, receive), send)
            return
        await self._app(scope, receive, send)

    def _check_host(self, headers: Headers) -> None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._hosts.answers_to(hosts[0]):
            message = "The service does not answer for this host name; start it with --allowed-host NAME if it should."
            raise Refused(WRONG_HOST, message)

    def _check_client(self, headers: Headers, scope: Scope) -> None:
        client = (scope.get("client") or ("",))[0]
        token = self._token_number(headers)
        wait = self._rate.take((client, token))
        if wait:
            message = f"More than {self._limits.requests_a_second:g} requests per second; wait before the next one."
            raise Refused(RATE_LIMITED, message, retry_after_s=wait)
        if token is None:
            message = (
                "Send the service's token: `Authorization: Bearer TOKEN`. The service's environment has it, by "
                "default in FAITHVIEW_TOKEN."
            )
            raise Refused(UNAUTHORIZED, message)

    def _token_number(self, headers: Headers) -> int | None:
        """Return which token the request has, 0 where none is needed; None if it has none or a wrong one."""
        if not self._tokens:
            return 0
        given = headers.getlist("authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        digest = hashlib.sha256(token.strip(" ").encode("utf-8", "replace")).digest()
        # Every token is compared, and digests in constant time: how long it takes tells nothing about a token.
        right = [number for number, known in enumerate(self._tokens) if hmac.compare_digest(digest, known)]
        return right[0] if right and scheme.lower() == "bearer" else None

    def _check_type(self, headers: Headers, path: str) -> None:
        # A page in a browser can send forms and plain text to any address without being asked, but not these types.
        types = (JSON, PROTOBUF) if path == TRACES else (JSON,)
        if media_type(headers) not in types:
            raise Refused(UNSUPPORTED_TYPE, f"The body must be sent as {' or '.join(types)}.")

    async def _body(self, headers: Headers, receive: Receive, take: Take) -> bytes:
        """Return the body as it was sent."""
        most = self._limits.body_bytes
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > most:
            raise _too_large(most)
        if _encoding_of(headers) not in ("gzip", "identity", ""):
            raise Refused(UNSUPPORTED_TYPE, "The body can be compressed only with gzip.")
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                return await _read(receive, most, take)
        except TimeoutError:
            message = f"The body did not arrive within {self._limits.body_seconds:g} seconds."
            raise Refused(SLOW_BODY, message) from None

    async def _opened(self, headers: Headers, body: bytes, take: Take) -> bytes:
        """Return the body unpacked; raises Refused where JSON in it holds too many values."""
        if _encoding_of(headers) == "gzip":
            body = await asyncio.to_thread(_unpacked, body, self._limits.body_bytes)
            take(len(body))
        most = self._limits.body_values
        # A value takes two bytes at least.
        if (
            media_type(headers) == JSON
            and len(body) > 2 * most
            and await asyncio.to_thread(_are_values_too_many, body, most)
        ):
            raise Refused(TOO_LARGE, f"The body holds more than {most:,} values; send fewer of them at once.")
        return body


def media_type(headers: Headers) -> str:
    """Return the media type of a body, in lower case and without its parameters."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _encoding_of(headers: Headers) -> str:
    return headers.get("content-encoding", "identity").strip().lower()


class _Bodies:
    """How many bytes the bodies of all requests have together. Used from one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0

    @contextmanager
    def taken(self) -> Iterator[Take]:
        """Yield what counts bytes of one request, and raises Refused (503) for too many; they are given back after."""
        mine = 0

        def take(size: int) -> None:
            nonlocal mine
            if self._taken + size > self._most:
                message = (
                    f"The bodies of all current requests have more than {self._most / 1024 / 1024:.3g} MB together."
                )
                raise Refused(BUSY, message, retry_after_s=1)
            mine += size
            self._taken += size

        try:
            yield take
        finally:
            self._taken -= mine


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


async def _read(receive: Receive, most: int, take: Take) -> bytes:
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
        take(len(pieces[-1]))
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


def _are_values_too_many(body: bytes, most: int) -> bool:
    """Return whether JSON holds more values than that, by the commas and brackets that are in no text."""
    rest = _TEXT.sub(b"", body)
    return rest.count(b",") + rest.count(b"[") + rest.count(b"{") > most


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
