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
_USUAL_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|[0-9a-f:.]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """The names that a server answers to: those of this machine, and `allowed`.

    An entry of `allowed` is a name or an address, or "*" for any name. A port behind it is that of the pages which a
    proxy shows under this name, and says nothing about where requests are addressed to.

    Raises:
        InvalidInput: an entry is none of these.
    """

    allowed: tuple[str, ...] = ()
    _entries: tuple[tuple[str, int | None], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_entries", tuple(_read_entry(entry) for entry in self.allowed))

    @property
    def names(self) -> tuple[str, ...]:
        """The allowed names, without ports."""
        return tuple(name for name, _ in self._entries)

    def answers_to(self, host: str | None) -> bool:
        """Return whether a request may be addressed so: `host` is the value of its `Host`, with or without a port."""
        found = _split(host)
        return found is not None and (is_loopback(found[0]) or not {found[0], ANY}.isdisjoint(self.names))

    def accepts_page(self, origin: str | None, *, host: str | None) -> bool:
        """Return whether a page at that address may send a request to this host.

        A page may that was served by the same host and port. A proxy may hand on requests under a name of its own, so a
        page of a name in `allowed` may too, at the port named there, else at the usual one of its scheme. No name of
        this machine is a proxy's: its other ports belong to other programs. A request without an origin was not sent
        by a page.
        """
        if origin is None:
            return True
        scheme, _, place = origin.partition("://")
        found, usual = _split(place), _USUAL_PORTS.get(scheme)
        if found is None or usual is None or host is None:
            return False
        name, port = found
        return place.lower() == host.lower() or (
            not is_loopback(name)
            and any(
                (name, usual if port is None else port) == (known, known_port or usual)
                for known, known_port in self._entries
            )
        )


def read_hosts(text: str | None) -> Hosts:
    """Return the hosts in a setting, which separates them by commas; raises InvalidInput as `Hosts` does."""
    return Hosts(allowed=tuple(part.strip() for part in (text or "").split(",") if part.strip()))


def is_loopback(name: str) -> bool:
    """Return whether a name or an address, without a port, is this machine's own."""
    if name.lower() == "localhost":
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
        reason = error.strerror or type(error).__name__
        if error.errno == errno.EADDRINUSE:
            reason = "another program does, perhaps another FaithView"
        raise InvalidInput(
            f"The {server} cannot listen on {host!r}, port {port} ({reason}); choose another --port or --host."
        ) from error
    return bound


def _split(host: str | None) -> tuple[str, int | None] | None:
    """Return name and port of a `Host`, the name in lower case and without a final dot; None if it is not a host."""
    if not host or any(character in host for character in "@/?#\\ \t"):
        return None
    try:
        parts = urlsplit(f"//{host}")
        name, port = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return None
    return (name, port) if name else None


def _read_entry(entry: str) -> tuple[str, int | None]:
    found = (
        (ANY, None) if entry == ANY else _split(f"[{entry}]" if entry.count(":") > 1 and "[" not in entry else entry)
    )
    if found is None or found[1] == 0 or entry.endswith(":") or not (entry == ANY or _NAME.fullmatch(found[0])):
        raise InvalidInput(
            f"{entry!r} is not a host name. Give names or addresses without http://, such as faithview.example.com, "
            "and with a port where a proxy shows the dashboard at an unusual one: faithview.example.com:8443."
        )
    return found
