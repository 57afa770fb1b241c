"""How many connections a server of FaithView keeps, and how long it waits for each; for service and dashboard.

Every client that reaches a port can open connections and send nothing. Each uses one of the files that a process may
have open; without a free one, no request is answered and the store cannot be opened. uvicorn, which runs both servers,
waits for headers for ever.
"""

import asyncio
import logging
import sys
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from faithview import logs

# As many connections wait to be accepted, and are accepted at once.
BACKLOG = 128
# Within which the headers of a request have to be there, from the connection's first moment or their first byte.
HEADERS_S = 15.0
# Without a byte of a request's body, or with a client that takes no more of a reply.
SILENCE_S = 60.0
# Where a process may have as many files open.
MOST = 4_096

_FILES_WANTED = 8_192
_FRAMED_TWICE = frozenset({b"content-length", b"transfer-encoding"})
# Connections are accepted up to four rounds of the event loop before those that make room for them are closed; and the
# store, judges and pages open files too.
_OTHER_FILES = 5 * BACKLOG
_MALFORMED_EVERY_S = 1.0
_NO_FILES = "socket.accept() out of system resource"
_NO_FILES_EVERY_S = 60.0


def raise_open_files() -> int:
    """Let this process have as many files open as a server wants, if the system allows it; return the most connections.

    From 1,024 files on, 640 are for everything else; of fewer, connections have a fourth.
    """
    if sys.platform == "win32":  # sockets are not files there
        return MOST
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    infinite = resource.RLIM_INFINITY
    if soft != infinite and soft < _FILES_WANTED:
        wanted = _FILES_WANTED if hard == infinite else min(hard, _FILES_WANTED)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST if soft == infinite else min(MOST, max(soft // 4, soft - _OTHER_FILES))


def limits_of_connections(most: int) -> dict[str, Any]:
    """Return the arguments of `uvicorn.Config` that limit a server's connections."""
    waiting: dict[_Connection, None] = {}

    def connection(*arguments: Any, **named: Any) -> asyncio.Protocol:
        return _Connection(*arguments, waiting=waiting, most=most, **named)

    return {"http": connection, "backlog": BACKLOG}


def quieten_logs() -> None:
    """Log at most once a second that a request is malformed, and at most once a minute that no file is free.

    Every client that reaches the port can cause both repeatedly, and fill a disk with them.
    """
    logs.limit("uvicorn.error", lambda record: record.levelno == logging.WARNING, at_most_every_s=_MALFORMED_EVERY_S)
    logs.limit("asyncio", lambda record: record.getMessage().startswith(_NO_FILES), at_most_every_s=_NO_FILES_EVERY_S)


class _Connection(H11Protocol):
    """A connection that is closed if it keeps us waiting.

    Beyond the most connections, the one that has waited longest without the headers of a request is closed for a new
    one; where all are being answered, the new one is.
    """

    def __init__(self, *arguments: Any, waiting: "dict[_Connection, None]", most: int, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._waiting = waiting  # those of the server that are between two requests, the longest first
        self._most = most
        self._deadline: asyncio.TimerHandle | None = None
        self._dropping: asyncio.TimerHandle | None = None
        self._is_idle = False  # no byte of the next request is there yet, and uvicorn's own timer runs

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._waiting[self] = None
        self._close_in(HEADERS_S)
        if len(self.connections) > self._most:
            next(iter(self._waiting)).drop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        self._drop_in(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # it is a websocket now
            self._wait_no_longer()
        elif self.transport.is_closing():
            self._wait_to_close()
        elif self._is_answering:
            self._wait_for_body()
        elif self._is_idle:
            self._is_idle = False
            self._close_in(HEADERS_S)

    def on_response_complete(self) -> None:
        super().on_response_complete()  # begins to answer the next request, if it is there
        if self.transport.is_closing():
            self._wait_to_close()
        elif self._is_answering:
            self._wait_for_body()
        else:
            self._wait_no_longer()
            self._waiting[self] = None
            self._is_idle = True

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._wait_to_close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._drop_in(SILENCE_S)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._drop_in(SILENCE_S if self.transport.is_closing() else None)

    def drop(self) -> None:
        """Close the connection at once, whatever it was about."""
        self._wait_no_longer()
        self.connections.discard(self)
        self.transport.abort()

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait_for_body(self) -> None:
        self._wait_no_longer()
        if {name for name, _ in self.headers} >= _FRAMED_TWICE:
            # Who hands on requests may have seen another end of this one, so nothing behind it is read.
            self.cycle.keep_alive = False
        if self.conn.their_state is h11.SEND_BODY:
            self._close_in(SILENCE_S)

    def _wait_to_close(self) -> None:
        """Close the connection once the reply is sent, also to a client that does not take it."""
        self._wait_no_longer()
        self._drop_in(SILENCE_S)

    def _close_in(self, seconds: float) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self._on_deadline)

    def _on_deadline(self) -> None:
        if self.flow.read_paused:  # it is us who do not read
            self._close_in(SILENCE_S)
        else:
            self.drop()

    def _wait_no_longer(self) -> None:
        self._waiting.pop(self, None)
        self._is_idle = False
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _drop_in(self, seconds: float | None) -> None:
        if self._dropping is not None:
            self._dropping.cancel()
        self._dropping = None if seconds is None else self.loop.call_later(seconds, self.drop)
