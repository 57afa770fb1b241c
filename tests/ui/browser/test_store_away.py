"""PostgreSQL is stopped while the dashboard is open: each page says so in a sentence, and goes on by itself."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from faithview.domain.sample import Sample
from tests import postgres
from tests.factories import add_judged_run, open_services
from tests.payloads import PAGES
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_AWAY = "The store cannot be used"


@pytest.fixture(scope="module")
def store() -> Iterator[postgres.StoppableServer]:
    with postgres.stoppable_server() as server:
        with open_services(postgres.sqlalchemy_url(server.url)) as services:
            rows = [Sample.of("Parking is free.", ["Parking is free."])]
            add_judged_run(services, rows, "one run")
        yield server


@pytest.fixture(scope="module")
def database(store: postgres.StoppableServer) -> str:
    return postgres.sqlalchemy_url(store.url)


def test_each_page_says_it_and_the_one_that_is_open_goes_on_by_itself(
    screen: Screen, store: postgres.StoppableServer
) -> None:
    away = screen.main().get_by_role("heading", name=_AWAY)
    screen.open("/answers").sees("Parking is free.")
    store.stop()
    for path in PAGES:
        screen.visit(path)
        expect(away).to_be_visible()
        screen.sees("Check that the server is running and its address is right")
        screen.sees("This page reloads when the store is available again.")
    screen.open("/answers")
    expect(away).to_be_visible()
    store.start()
    expect(away).to_have_count(0)
    screen.settle().sees("Parking is free.")
