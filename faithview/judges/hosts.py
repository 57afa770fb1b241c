"""Which server a judge calls, in words that hold no secret."""

import hashlib
from urllib.parse import urlsplit

_PATHS_OF_EVERYBODY = ("", "/v1")
_DIGITS = 8


def host_of(base_url: str) -> str:
    """Return host and port of a URL, without the user name and password that it may hold."""
    parts = urlsplit(base_url)
    host = parts.hostname or base_url
    return f"{host}:{parts.port}" if parts.port else host


def server_label(base_url: str, *, vendors_own: str) -> str:
    """Return what tells this server from others in a fingerprint; "" for the vendor's own.

    Two servers may serve different models under one name. One host may serve several by their paths, and a gateway's
    path may be a secret, so of a path other than "/v1" only the beginning of its hash is shown.
    """
    host, path = host_of(base_url), urlsplit(base_url).path.rstrip("/")
    if path in _PATHS_OF_EVERYBODY:
        return "" if host == vendors_own else f"@{host}"
    return f"@{host}~{hashlib.sha256(path.encode()).hexdigest()[:_DIGITS]}"
