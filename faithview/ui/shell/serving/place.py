"""Where the dashboard listens and under which address it is found, and what is refused as such a place."""

import re
from dataclasses import dataclass, field

from faithview.domain.errors import InvalidInput
from faithview.hosts import ANY, Hosts, is_loopback

THIS_MACHINE = "127.0.0.1"
_BASE_PATH = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
_EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened on


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The address and port to listen on, and the path in front of all pages, without slashes at its ends.

    Raises:
        InvalidInput: the path is none, or other machines can reach the address and no name is allowed: the dashboard
            would answer nobody there.
    """

    port: int
    host: str = THIS_MACHINE
    base_path: str = ""
    hosts: Hosts = field(default_factory=Hosts)

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_path", self.base_path.strip("/"))
        if self.base_path and not _BASE_PATH.fullmatch(self.base_path):
            raise InvalidInput(
                f"{self.base_path!r} is no path for --base-path. Use letters, digits, '.', '_', '~' and '-' between "
                "slashes, for instance /faithview."
            )
        if not is_loopback(self.host) and not self.hosts.allowed:
            raise InvalidInput(
                f"With --host {self.host} other machines can reach the dashboard, and it answers to no name of theirs. "
                "Set FAITHVIEW_ALLOWED_HOSTS to the names or addresses under which people open it."
            )

    @property
    def url(self) -> str:
        """The address to open: a name that people use, where this machine's own is not served."""
        return f"http://{self._name()}:{self.port}" + (f"/{self.base_path}" if self.base_path else "")

    def under(self, path: str) -> str:
        """Return a path of the server, which begins with the base path."""
        return "/" + "/".join(filter(None, (self.base_path, path)))

    def _name(self) -> str:
        named = next((name for name in self.hosts.names if name != ANY and not name.startswith("*.")), None)
        name = named or THIS_MACHINE if self.host in _EVERY_ADDRESS else self.host
        return f"[{name}]" if ":" in name else name
