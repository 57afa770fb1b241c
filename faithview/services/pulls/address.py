"""Where a tool's server is, and what proves who asks."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field

Params = Mapping[str, str | int | list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a server is and what proves who asks.

    Attributes:
        url: the base URL as people and environments write it; a name and a password in it become basic authentication.
        headers: sent with every request.
        key_variables: the environment variables that hold the key, for messages.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    key_variables: tuple[str, ...] = ()


def basic(name: str, password: str) -> str:
    """Return the value of `Authorization` for a name and a password."""
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode("ascii")
