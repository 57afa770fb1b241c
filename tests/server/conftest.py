"""The service in this process: the whole application, without a socket."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faithview.judges.base import Judge
from faithview.server.app import create_app
from faithview.server.settings import ServerSettings
from faithview.services.container import Store
from faithview.services.guard.guard import FaithfulnessGuard
from tests.factories import open_services

Start = Callable[..., TestClient]

ANSWER = "The office opens at 9 am. Parking costs 5 euros."
CONTEXT = ["The office opens at 9 am.", "Parking costs 7 euros."]


@pytest.fixture
def services(store_file: Path) -> Iterator[Store]:
    """An empty store."""
    with open_services(store_file) as opened:
        yield opened


@pytest.fixture
def start(services: Store) -> Iterator[Start]:
    """`start(judge=..., **settings)` starts the service and returns a client of this machine; all stop at the end."""
    with ExitStack() as stack:

        def run(judge: str | Judge = "lexical", *, threshold: float = 0.8, **settings: Any) -> TestClient:
            guard = stack.enter_context(FaithfulnessGuard(judge, threshold))
            app = create_app(ServerSettings(**settings), guard, services)
            client = TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=True)
            return stack.enter_context(client)

        yield run


@pytest.fixture
def client(start: Start) -> TestClient:
    """A client of the service with the rules as its judge and without a token."""
    return start()
