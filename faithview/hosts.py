"""Where a server of FaithView listens, which names it answers to, and which web pages may talk to it.

A web page can point its own name at 127.0.0.1 and so read what a server on this machine shows (DNS rebinding). Its
browser still sends that name in `Host`, and the page's own address in `Origin`: the two are all that tells it apart.
"""

import errno
import ipaddress
import os
import re
import socket
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from faithview.domain.errors import InvalidInput

ANY = "*"
_LOCALHOST = "localhost"
_LAST_PORT = 65_535
_USUAL_PORTS = {"http": 80, "https": 443}
_ENTRY = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")
_PORT = re.compile(r"(?P<name>[^:]+|\[[^]]+\]):(?P<port>[0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A name or an address, or "*.example.com" for all names below it; `port` is None if none is named."""

    name: str
    port: int | None

    def names(self, name: str) -> bool:
        return name.endswith(self.name[1:]) if self.name.startswith("*.") else name == self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """The names that a server answers to: those of this machine, and `allowed`.

    An entry of `allowed` is a name or an address; "*.example.com" is every name below example.com, and "*" is any
    name. A port behind it is that of the pages which a proxy shows under this name, and says nothing about where
    requests are addressed to.

    Raises:
        InvalidInput: an entry is none of these.
    """

    allowed: tuple[str, ...] = ()
    _entries: tuple[_Entry, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_entries", tuple(_read_entry(entry) for entry in self.allowed))

    @property
    def names(self) -> tuple[str, ...]:
        """The allowed names, without ports."""
        return tuple(entry.name for entry in self._entries)

    def answers_to(self, host: str | None) -> bool:
        """Return whether a request may be addressed so: `host` is the value of its `Host`, with or without a port."""
        name = _name_in(host)
        return name is not None and (
            is_loopback(name) or any(entry.name == ANY or entry.names(name) for entry in self._entries)
        )

    def accepts_page(self, origin: str | None, *, host: str | None) -> bool:
        """Return whether a page at that address may send a request to this host.

        A page may that was served by the same host and port. A proxy may hand on requests under a name of its own, so a
        page of a name in `allowed` may too, at the port named there, else at the usual one of its scheme. No name of
        this machine is a proxy's: its other ports belong to other programs. A request without an origin was not sent
        by a page.
        """
        if origin is None:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        if parts.scheme not in _USUAL_PORTS or host is None:
            return False
        name = _name_in(parts.netloc)
        if name is None:
            return False
        if parts.netloc.lower() == host.lower():
            return True
        usual = _USUAL_PORTS[parts.scheme]
        port = usual if parts.port is None else parts.port
        return not _leads_here(name) and any(
            entry.names(name) and port == (entry.port or usual) for entry in self._entries
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
    """Return the name in the value of a `Host` in lower case, without port and final dot; None if it is not a host."""
    if not host or any(character in host for character in "@/?#\\ \t"):
        return None
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises if it is not a number or out of range
        return (parts.hostname or "").removesuffix(".") or None
    except ValueError:
        return None


def _leads_here(name: str) -> bool:
    """Return whether a browser finds this very machine under a name."""
    if is_loopback(name) or name.endswith(f".{_LOCALHOST}"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return address.is_unspecified or (mapped is not None and (mapped.is_loopback or mapped.is_unspecified))


def _read_entry(entry: str) -> _Entry:
    if entry == ANY:
        return _Entry(ANY, None)
    given = _PORT.fullmatch(entry)
    port = int(given["port"]) if given else None
    name = (given["name"] if given else entry).lower().strip("[]").removesuffix(".")
    try:
        name = str(ipaddress.ip_address(name))
    except ValueError:
        if not _ENTRY.fullmatch(name):
            name = ""
    if not name or port == 0 or (port or 0) > _LAST_PORT:
        raise InvalidInput(
            f"{entry!r} is not a host name. Give names or addresses without http://, such as faithview.example.com, "
            "and with a port where a proxy shows the dashboard at an unusual one: faithview.example.com:8443."
        )
    return _Entry(name, port)
