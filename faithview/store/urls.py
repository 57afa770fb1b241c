"""URLs of databases: parse them, and show them without their password."""

from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from faithview.domain.errors import StoreError

# The accepted prefixes of a URL with their drivers; hosting services write "postgres".
_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}


def parse(url: str) -> URL:
    """Return the URL with its driver; raises StoreError for a URL that is not valid."""
    unreadable = (
        "The database URL cannot be read. Use one such as sqlite:///faithview.db or "
        "postgresql+psycopg://user@host/name."
    )
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # The messages of these errors may contain a password.
        raise StoreError(unreadable) from None
    backend = parsed.get_backend_name()
    if parsed.drivername not in _DRIVERS:
        raise StoreError(
            f"FaithView supports SQLite, and PostgreSQL through psycopg, not {parsed.drivername!r}. "
            "Use a URL such as sqlite:///faithview.db or postgresql+psycopg://user@host/name."
        )
    if backend == "sqlite":
        if not parsed.database or parsed.host:
            raise StoreError(unreadable)
        parsed = parsed.set(database=str(Path(parsed.database).expanduser()))
    return parsed.set(drivername=_DRIVERS[parsed.drivername])


def sqlite_path(url: str) -> Path | None:
    """Return the path of a SQLite database, None for another one. Raises StoreError for an invalid URL."""
    parsed = parse(url)
    return Path(str(parsed.database)) if parsed.get_backend_name() == "sqlite" else None


def shown_url(url: str) -> str:
    """Return the URL without its password and its parameters, which may have one; a dash if it cannot be read."""
    try:
        return without_secrets(make_url(url))
    except (ArgumentError, ValueError):
        return "–"


def without_secrets(url: URL) -> str:
    """Return a URL without its password and its parameters."""
    # A password may also be a parameter: postgresql+psycopg://host/name?password=…
    return url.set(query={}).render_as_string(hide_password=True)
