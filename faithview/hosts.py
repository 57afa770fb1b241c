"""Where a server of FaithView listens, which names it answers to, and which web pages may talk to it.

A web page can point its own name at 127.0.0.1 and so read what a server on this machine shows (DNS rebinding). Its
browser still sends that name in `Host`, and the page's own address in `Origin`: the two are all that tells it apart.
"""

import errno
import ipaddress
import os
import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from faithview.domain.errors import InvalidInput

ANY = "*"
_LOCALHOST = "localhost"
_LAST_PORT = 65_535
_ENTRY = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """The names that a server answers to: those of this machine, and `allowed`.

    An entry of `allowed` is a name or an address without a port; "*.example.com" is every name below example.com, and
    "*" is any name.

    Raises:
        InvalidInput: an entry is none of these.
    """

    allowed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "allowed", tuple(_clean(entry) for entry in self.allowed))

    def answers_to(self, host: str | None) -> bool:
        """Return whether a request may be addressed so: `host` is the value of its `Host`, with or without a port."""
        name = _name_in(host)
        return name is not None and (is_loopback(name) or ANY in self.allowed or self._names(name))

    def accepts_page(self, origin: str | None, *, host: str | None) -> bool:
        """Return whether a page at that address may send a request to this host.

        A page may that was served by the same host and port, and one of a name in `allowed`, for a proxy may hand on
        requests under a name of its own. A request without an origin was not sent by a page.
        """
        if origin is None:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https") or host is None:
            return False
        name = _name_in(parts.netloc)
        return name is not None and (parts.netloc.lower() == host.lower() or self._names(name))

    def _names(self, name: str) -> bool:
        return any(
            name.endswith(entry[1:]) if entry.startswith("*.") else name == entry
            for entry in self.allowed
            if entry != ANY
        )


def read_hosts(text: str | None) -> Hosts:
    """Return the hosts in a setting, which separates them by commas; raises InvalidInput as `Hosts` does."""
    return Hosts(allowed=tuple(part.strip() for part in (text or "").split(",") if part.strip()))


def is_loopback(name: str) -> bool:
    """Return whether a name or an address, without a port, is this machine's own."""
    if name.lower() == _LOCALHOST:
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def bind(host: str, port: int, *, server: str) -> socket.socket:
    """Return a socket at that address, on which nothing listens yet.

    Args:
        host: the address.
        port: the port; 0 takes a free one.
        server: what is to listen there, as an error names it: "dashboard" or "service".

    Raises:
        InvalidInput: the port is taken, or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio sends small pieces without delay (TCP_NODELAY) only where it is: a reply's
    # body would otherwise wait 40 ms for the client to acknowledge its headers.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            other = port + 1 if port < _LAST_PORT else port - 1
            raise InvalidInput(
                f"The {server} cannot listen on {host!r}, port {port}, because another program does, perhaps another "
                f"FaithView; choose another port, --port {other} for example."
            ) from error
        raise InvalidInput(
            f"The {server} cannot listen on {host!r}, port {port} ({error.strerror or type(error).__name__}); choose "
            "another --port or --host."
        ) from error
    return bound


def _name_in(host: str | None) -> str | None:
    """Return the name in the value of a `Host` in lower case, without port and final dot; None for what is no host."""
    if not host or any(character in host for character in "@/?#\\ \t"):
        return None
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises for one that is no number or out of range
        return (parts.hostname or "").removesuffix(".") or None
    except ValueError:
        return None


def _clean(entry: str) -> str:
    if entry == ANY:
        return ANY
    name = entry.lower().strip("[]").removesuffix(".")
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        pass
    if not _ENTRY.fullmatch(name):
        raise InvalidInput(
            f"{entry!r} is no host name. Give names or addresses without http:// and without a port, for instance "
            "faithview.example.com."
        )
    return name
