"""A server that answers everything with one hostile reply, over real HTTP: packed, endless, nested, or elsewhere."""

import gzip
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

from tests.http_server import Handler, serving

_MB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class HostileReply:
    """A status, headers, and blocks that are sent until nobody reads any more; `blocks` starts them anew."""

    blocks: Callable[[], Iterable[bytes]] = tuple
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200


@dataclass(slots=True)
class HostileServer:
    """A running server: its address, and what arrived, each with its path and its body."""

    reply: HostileReply
    url: str = ""
    seen: list[tuple[str, bytes]] = field(default_factory=list)


@contextmanager
def hostile_server(reply: HostileReply) -> Iterator[HostileServer]:
    """Run a server for the length of a block."""
    server = HostileServer(reply)

    class Hostile(Handler):
        def answer(self, body: bytes) -> None:
            server.seen.append((self.path, body))
            self.begin(reply.status, {"Content-Type": "application/json", **reply.headers, "Connection": "close"})
            self.close_connection = True
            try:
                for block in reply.blocks():
                    self.wfile.write(block)
            except OSError:
                pass  # the client has left, which is what it should do

    with serving(Hostile) as server.url:
        yield server


# What each is called in tables.
REPLIES: Mapping[str, HostileReply] = MappingProxyType(
    {
        "gzip in gzip": HostileReply(headers={"Content-Encoding": "gzip, gzip"}, blocks=lambda: [b"{}"]),
        "gzip of no gzip": HostileReply(headers={"Content-Encoding": "gzip"}, blocks=lambda: [b"{}"]),
        "endless": HostileReply(blocks=lambda: itertools.chain([b'{"id": "'], itertools.repeat(b"x" * _MB))),
        "endless error": HostileReply(status=500, blocks=lambda: itertools.repeat(b"x" * _MB)),
        "brackets": HostileReply(blocks=lambda: [b"[" * 200_000 + b"]" * 200_000]),
        "many lists, packed": HostileReply(
            headers={"Content-Encoding": "gzip"},
            blocks=lambda: [gzip.compress(b"[" + b"[]," * (5 * _MB - 1) + b"[]]", 1)],
        ),
    }
)
