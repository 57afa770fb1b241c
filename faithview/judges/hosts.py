"""The name of the server that a judge calls, without secrets."""

import hashlib
from urllib.parse import urlsplit

_COMMON_PATHS = ("", "/v1")
_DIGITS = 8


def host_of(base_url: str) -> str:
    """Return host and port of a URL, without user name and password; the likely ones if it is not a URL."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host:
        bare = base_url.partition("://")[2] or base_url
        return bare.rpartition("@")[2].partition("/")[0].partition("?")[0]
    return f"{host}:{port}" if port else host


def is_address(base_url: str) -> bool:
    """Return whether an SDK can call this: a URL with http or https and a host."""
    try:
        parts = urlsplit(base_url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def server_label(base_url: str, *, vendors_own: str) -> str:
    """Return the server's part of a fingerprint; "" for the vendor's own server.

    Two servers may serve different models under the same name, and one host may serve several under different paths.
    A gateway's path may be a secret, so a path other than "/v1" is shown as the beginning of its hash.
    """
    host, path = host_of(base_url), urlsplit(base_url).path.rstrip("/") if is_address(base_url) else ""
    if path in _COMMON_PATHS:
        return "" if host == vendors_own else f"@{host}"
    return f"@{host}~{hashlib.sha256(path.encode()).hexdigest()[:_DIGITS]}"
