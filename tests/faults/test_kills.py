"""SIGKILL in the middle: of `label`, and of PostgreSQL or its clients while two processes write to it.

Those of `evaluate`, `import` and `watch` are in test_mid_run.py, of `db upgrade` in tests/store/test_upgrades.py.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests import postgres
from tests.faults import kills
from tests.judging_processes import wait_for

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.StoppableServer]:
    """A server of its own that keeps what it has promised to store."""
    with postgres.stoppable_server() as started:
        postgres.store_at_once(started.url)
        yield started


@pytest.mark.parametrize("after_s", [0.3, 0.6, 0.9])
def test_labels_of_a_killed_command_are_stored_once(tmp_path: Path, after_s: float) -> None:
    assert kills.label(tmp_path / "store", after_s=after_s) == ""


@pytest.mark.parametrize("kind", ["clients", "backends", "servers"])
def test_a_kill_loses_nothing_that_two_writers_have_stored_in_postgresql(
    tmp_path: Path, server: postgres.StoppableServer, kind: str
) -> None:
    assert getattr(kills, kind)(tmp_path / kind, server, seed=18) == ""


def test_a_server_that_was_killed_has_what_was_committed(server: postgres.StoppableServer) -> None:
    url = postgres.libpq_url(postgres.new_database(server.url, "committed"))
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept (x int)")
        connection.execute("INSERT INTO kept VALUES (1)")
    server.kill()
    server.start()
    wait_for(lambda: postgres.is_up(url))
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT x FROM kept").fetchall() == [(1,)]
