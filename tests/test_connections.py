"""Connections that say nothing, or too slowly, or too much: closed, and everybody else is answered."""

import asyncio
import logging
import socket
import sys
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from faithview import connections, logs
from tests.dashboard import free_port, start_server, with_open_files
from tests.service import running_service

_REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
_NEVER = b"GET /never HTTP/1.1\r\nHost: a\r\n\r\n"
_LONG = b"x" * 16_000_000
_WAIT_S = 30


class _Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def stop_reading(self) -> None:
        self._writer.transport.pause_reading()  # type: ignore[attr-defined]  # a socket's reads too

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
    """Answers at once with the request's path, at /body after the body, at /long with much, at /never without end."""
    while scope["path"] == "/body" and (await receive()).get("more_body"):
        pass
    body = _LONG if scope["path"] == "/long" else scope["path"].encode()
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


# Long enough for a request that is sent at once, on a busy machine too.
@pytest.fixture
def _less_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADERS_S", 0.5)
    monkeypatch.setattr(connections, "SILENCE_S", 0.5)


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


@pytest.mark.usefixtures("_less_patient")
@pytest.mark.parametrize("first", [_REQUEST, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345"])
def test_headers_that_come_byte_by_byte_or_behind_another_request_have_no_more_time(first: bytes) -> None:
    async def scenario(server: _Server) -> None:
        slow = await server.client()
        slow.send(first)
        assert await slow.reply() == b"/"

        async def drip() -> None:
            while True:
                slow.send(b"G")
                await asyncio.sleep(0.01)

        dripping = asyncio.create_task(drip())
        assert await slow.is_closed()
        dripping.cancel()

    _serve(scenario)


@pytest.mark.usefixtures("_less_patient")
@pytest.mark.parametrize("more", [b"", b"Connection: close\r\n"])
def test_who_takes_no_more_of_a_reply_is_not_waited_for(more: bytes) -> None:
    async def scenario(server: _Server) -> None:
        stuck = await server.client()
        stuck.stop_reading()
        stuck.send(b"GET /long HTTP/1.1\r\nHost: a\r\n" + more + b"\r\n")
        await server.all_are_closed()

    _serve(scenario)


def test_a_request_under_way_and_a_connection_between_two_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADERS_S", 0.5)

    async def scenario(server: _Server) -> None:
        body, idle = await server.client(), await server.client()
        body.send(b"POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n12")
        idle.send(_REQUEST + _REQUEST)
        assert [await idle.reply(), await idle.reply()] == [b"/", b"/"]
        assert await (await server.client()).is_closed()  # that long at least
        body.send(b"34")
        assert await body.reply() == b"/body"
        idle.send(_REQUEST)
        assert await idle.reply() == b"/"

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


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of open files there")
@pytest.mark.parametrize(
    ("soft", "hard", "raised", "most"),
    [
        (1_024, 1_048_576, 8_192, 4_096),
        (1_024, 1_024, 1_024, 384),
        (256, 256, 256, 64),
        (1_024, -1, 8_192, 4_096),
        (1_048_576, 1_048_576, None, 4_096),
    ],
)
def test_a_server_may_have_more_files_open_than_connections(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int | None, most: int
) -> None:
    import resource

    set_to: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: set_to.append(limits))
    assert connections.raise_open_files() == most
    assert [limit[0] for limit in set_to] in ([], [raised], [soft])


@contextmanager
def _server(kind: str, folder: Path, database: Path, *, open_files: int) -> Iterator[tuple[int, Path]]:
    """Start a service or a dashboard that may have so many files open; yield its port and its log."""
    log = folder / "log"
    if kind == "service":
        url = f"sqlite:///{database}"
        with running_service("--judge", "lexical", database_url=url, log=log, open_files=open_files) as service:
            yield service.port, log
        return
    port = free_port()
    command = [sys.executable, "-P", "-m", "faithview.ui.serving.dashboard_server", "--port", str(port)]
    environment = {"FAITHVIEW_DB": f"sqlite:///{database}", "HOME": str(folder)}
    running = start_server(with_open_files(command, open_files), port=port, log=log, environment=environment)
    try:
        yield port, log
    finally:
        running.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of open files there")
@pytest.mark.parametrize("kind", ["service", "dashboard"])
def test_more_silent_connections_than_files_stop_nobody_and_fill_no_log(
    kind: str, tmp_path: Path, store_file: Path
) -> None:
    with _server(kind, tmp_path, store_file, open_files=256) as (port, log), ExitStack() as sockets:
        for _ in range(400):
            silent = sockets.enter_context(socket.create_connection(("127.0.0.1", port), timeout=_WAIT_S))
            silent.sendall(b"GET /h")
        for path in ("health", "ready"):  # the second opens the store
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=_WAIT_S) as reply:
                assert reply.status == 200
        for _ in range(200):
            with socket.create_connection(("127.0.0.1", port), timeout=_WAIT_S) as malformed:
                malformed.sendall(b"\0\r\n\r\n")
                assert malformed.recv(1000).startswith(b"HTTP/1.1 400")
        said = log.read_text(encoding="utf-8")
        assert said.count("out of system resource") <= 1
        assert 1 <= said.count("Invalid HTTP request") < 100
        assert len(said) < 20_000
