"""Connections that say nothing, or too slowly, or too much: closed, and everybody else is answered."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from faithview import connections, logs

_REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
_NEVER = b"GET /never HTTP/1.1\r\nHost: a\r\n\r\n"
_WAIT_S = 30


class _Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def send(self, data: bytes) -> None:
        self._writer.write(data)

    async def head(self) -> bytes:
        """Return the headers of the next reply, which have to come."""
        async with asyncio.timeout(_WAIT_S):
            return await self._reader.readuntil(b"\r\n\r\n")

    async def reply(self) -> bytes:
        """Return the body of the next reply, which has to come."""
        head = await self.head()
        async with asyncio.timeout(_WAIT_S):
            length = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
            return await self._reader.readexactly(int(length.split(b":")[1]))

    async def is_closed(self) -> bool:
        """Wait for the server to close the connection; return whether it does, without another byte."""
        async with asyncio.timeout(_WAIT_S):
            try:
                return await self._reader.read() == b""
            except ConnectionResetError:
                return True


async def _app(scope: Any, receive: Any, send: Any) -> None:
    """Answers at once with the request's path, at /body after the body, at /never without end."""
    while scope["path"] == "/body" and (await receive()).get("more_body"):
        pass
    body = scope["path"].encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    if scope["path"] == "/never":
        await asyncio.sleep(3600)
    await send({"type": "http.response.body", "body": body})


class _Server:
    def __init__(self, port: int, state: ServerState) -> None:
        self._port, self._state = port, state
        self.opened: list[asyncio.StreamWriter] = []

    async def client(self) -> _Client:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        self.opened.append(writer)
        return _Client(reader, writer)

    async def all_are_closed(self) -> None:
        async with asyncio.timeout(_WAIT_S):
            while self._state.connections:  # noqa: ASYNC110 - uvicorn has no event for it
                await asyncio.sleep(0.01)


def _serve(scenario: Callable[[_Server], Awaitable[None]], *, most: int = 100) -> None:
    async def run() -> None:
        config = uvicorn.Config(
            _app, log_config=None, lifespan="off", ws="none", **connections.limits_of_connections(most)
        )
        config.load()
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: config.http_protocol_class(config=config, server_state=state, app_state={}),  # type: ignore[call-arg]  # uvicorn's
            "127.0.0.1",
        )
        serving = _Server(server.sockets[0].getsockname()[1], state)
        try:
            await scenario(serving)
        finally:
            for writer in serving.opened:
                writer.transport.abort()
            server.close()
            for task in state.tasks:
                task.cancel()
            await asyncio.gather(*state.tasks, return_exceptions=True)
            await serving.all_are_closed()

    asyncio.run(run())


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADERS_S", 0.1)
    monkeypatch.setattr(connections, "SILENCE_S", 0.1)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /h",
        _REQUEST[:-2],
        b"POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345",
        b"POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",
    ],
)
def test_who_does_not_send_a_whole_request_is_not_waited_for(sent: bytes) -> None:
    async def scenario(server: _Server) -> None:
        silent = await server.client()
        silent.send(sent)
        assert await silent.is_closed()

    _serve(scenario)


def test_beyond_the_most_the_longest_silent_connection_is_closed_for_a_new_one() -> None:
    async def scenario(server: _Server) -> None:
        busy, silent, idle = await server.client(), await server.client(), await server.client()
        busy.send(_NEVER)
        await busy.head()
        silent.send(b"GET /h")
        idle.send(_REQUEST)
        assert await idle.reply() == b"/"
        for gone in (silent, idle):
            new = await server.client()
            new.send(_REQUEST)
            assert await new.reply() == b"/"
            assert await gone.is_closed()
            new.send(_NEVER)
            await new.head()
        # All three are being answered now.
        assert await (await server.client()).is_closed()

    _serve(scenario, most=3)


def test_a_request_with_two_ends_is_the_last_of_its_connection() -> None:
    smuggling = (
        b"POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    )

    async def scenario(server: _Server) -> None:
        for before in (b"", _REQUEST):
            sender = await server.client()
            sender.send(before + smuggling)
            if before:
                assert await sender.reply() == b"/"
            assert await sender.reply() == b"/body"
            assert await sender.is_closed()

    _serve(scenario)


@pytest.fixture
def limited() -> Iterator[logging.Logger]:
    logger = logging.getLogger("faithview.test.limited")
    yield logger
    logger.filters.clear()


def test_a_line_that_anybody_can_cause_is_logged_once_and_counted(
    limited: logging.Logger, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("faithview.logs.time.monotonic", lambda: now[0])
    for _ in range(2):  # set up again, it does not count twice
        logs.limit(limited.name, lambda record: record.levelno == logging.WARNING, at_most_every_s=60.0)
    for _ in range(1_001):
        limited.warning("Malformed: %s", "x")
    limited.error("Something else")
    now[0] += 60.0
    limited.warning("Malformed: %s", "y")
    assert [record.getMessage() for record in caplog.records] == [
        "Malformed: x", "Something else", "Malformed: y (1,000 like it were not logged)",
    ]  # fmt: skip
