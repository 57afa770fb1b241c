"""A server that answers everything with one hostile reply, over real HTTP: packed, endless, nested, or elsewhere."""

import gzip
import itertools
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

from tests.http_server import Handler, serving

_MB = 1 << 20
_GB = 1 << 30


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
    accepted: list[str] = field(default_factory=list)
    """What each request said that it reads, in `Accept-Encoding`."""


@contextmanager
def hostile_server(reply: HostileReply) -> Iterator[HostileServer]:
    """Run a server for the length of a block."""
    server = HostileServer(reply)

    class Hostile(Handler):
        def answer(self, body: bytes) -> None:
            server.seen.append((self.path, body))
            server.accepted.append(self.headers.get("Accept-Encoding", ""))
            self.begin(reply.status, {"Content-Type": "application/json", **reply.headers, "Connection": "close"})
            self.close_connection = True
            try:
                for block in reply.blocks():
                    self.wfile.write(block)
            except OSError:
                pass  # the client has left, which is what it should do

    with serving(Hostile) as server.url:
        yield server


def packed(size: int, *, start: bytes = b'{"id": "', filler: bytes = b"x") -> Iterator[bytes]:
    """Yield gzip that unpacks to JSON of so many bytes; it is never whole."""
    packer = zlib.compressobj(9, wbits=31)
    yield packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
    # A block behind a full flush says the same wherever it comes.
    block = packer.compress(filler * (_MB // len(filler))) + packer.flush(zlib.Z_FULL_FLUSH)
    yield from itertools.repeat(block, size // _MB)


def packed_twice(size: int) -> bytes:
    """Return gzip in gzip: some kilobytes that unpack to so many bytes."""
    return gzip.compress(b"".join(packed(size)), mtime=0)


def redirect_to(url: str) -> HostileReply:
    """Return a reply that asks for the same request at another address."""
    return HostileReply(status=307, headers={"Location": url})


_GZIP = {"Content-Encoding": "gzip"}

# What each is called in tables.
REPLIES: Mapping[str, HostileReply] = MappingProxyType(
    {
        "gzip in gzip, 4 GB": HostileReply(
            headers={"Content-Encoding": "gzip, gzip"}, blocks=lambda: [packed_twice(4 * _GB)]
        ),
        "gzip, 4 GB": HostileReply(headers=_GZIP, blocks=lambda: packed(4 * _GB)),
        "gzip of no gzip": HostileReply(headers=_GZIP, blocks=lambda: [b"{}"]),
        "another packing": HostileReply(headers={"Content-Encoding": "br"}, blocks=lambda: [b"\x0b\x02\x80{}\x03"]),
        "endless": HostileReply(blocks=lambda: itertools.chain([b'{"id": "'], itertools.repeat(b"x" * _MB))),
        "endless error": HostileReply(status=500, blocks=lambda: itertools.repeat(b"x" * _MB)),
        "2 MB of brackets": HostileReply(blocks=lambda: [b"[" * (2 * _MB)]),
        "15 MB of lists": HostileReply(blocks=lambda: [b"[" + b"[]," * (5 * _MB - 1) + b"[]]"]),
        "15 MB of lists, packed": HostileReply(
            headers=_GZIP, blocks=lambda: [gzip.compress(b"[" + b"[]," * (5 * _MB - 1) + b"[]]", 1)]
        ),
    }
)
