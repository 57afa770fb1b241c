"""Before there is anything to see, every page says what it will show and how to get there."""

import pytest
from playwright.sync_api import expect

from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def database(folder: object) -> str:
    """An empty store."""
    return f"sqlite:///{folder}/empty.db"


@pytest.mark.parametrize("path", ["/", "/inspect", "/inbox", "/datasets"])
def test_pages_about_runs_lead_to_the_pages_that_make_one(screen: Screen, path: str) -> None:
    screen.open(path)
    screen.sees("There are no runs yet.")
    screen.press("Upload answers" if path == "/" else "Check one answer")
    screen.until_page("/upload" if path == "/" else "/check")


def test_the_other_pages_say_what_they_are_for(screen: Screen) -> None:
    screen.open("/upload").sees("One row per answer")
    screen.open("/check").sees("The verdict appears here")
    screen.open("/settings").sees("0 runs.")


def test_links_from_another_store_are_said_to_lead_nowhere(screen: Screen) -> None:
    screen.open("/inspect", run="abcdefgh", row="1", claim="2")
    screen.sees("There are no runs yet.")
    screen.open("/upload", run="abcdefgh")
    screen.sees("There is no run abcdefgh in this store.")
    expect(screen.page.get_by_test_id("stFileUploader")).to_be_visible()
