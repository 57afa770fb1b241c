"""The dashboard under a path, as behind a proxy: every page, link and file stays below it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from faithview.domain.answer import AnswerFilter
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.store.answers import list_answers
from tests.dashboard import Dashboard, start_dashboard
from tests.ui.browser.files import csv_of
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_BASE = "/team/faithview"
_ROWS = [{"question": "q", "answer": "It is 330 m.", "contexts": "It is 330 m."}]


@pytest.fixture(scope="module")
def dashboard(database: str, folder: Path) -> Iterator[Dashboard]:
    """The module's dashboard, below a path."""
    running = start_dashboard(database, log=folder / "dashboard.log", base_path=_BASE)
    yield running
    running.stop()


def test_a_link_works_as_the_first_request_to_a_fresh_server_and_pages_stay_below_the_path(
    screen: Screen, services: Store
) -> None:
    run = list_runs(services)[0]
    row = next(
        row for row in list_answers(services.db, run.run_id, AnswerFilter()).rows if sum(row.claims.values()) > 1
    )
    screen.open("/answers", run=run.run_id, row=row.key, claim="2")
    expect(screen.selected_claim()).to_have_attribute("data-claim", "2")
    expect(screen.page.get_by_role("dialog")).to_have_count(0)
    expect(screen.page.get_by_text("Page not found")).to_have_count(0)
    assert screen.path() == f"{_BASE}/answers"
    screen.page.get_by_test_id("stSidebar").get_by_role("link", name="Trends").click()
    screen.until_page(f"{_BASE}/trends")
    screen.page.get_by_test_id("stSidebar").get_by_role("link", name="Changes").click()
    screen.until_page(f"{_BASE}/changes")
    screen.page.go_back()
    screen.until_page(f"{_BASE}/trends")


def test_a_file_is_uploaded_below_the_path(screen: Screen) -> None:
    screen.open("/upload")
    screen.upload("own.csv", csv_of(_ROWS))
    screen.sees("1 answer")
