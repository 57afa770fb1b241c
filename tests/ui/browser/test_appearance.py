"""The theme can be chosen for all pages, and what is open follows it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, expect

from tests.dashboard import Dashboard
from tests.ui.browser.screen import Screen, new_profile, stay_open

pytestmark = pytest.mark.browser

_WHITE, _BLACK = "rgb(255, 255, 255)", "rgb(20, 23, 27)"
_AXIS_LIGHT, _AXIS_DARK = "rgb(92, 100, 112)", "rgb(167, 174, 186)"


@pytest.fixture
def profile(browser: Browser, dashboard: Dashboard) -> Iterator[BrowserContext]:
    """A profile of one test, because the browser keeps the choice."""
    with new_profile(browser) as context:
        stay_open(context, dashboard.url)
        yield context


def _app(screen: Screen) -> Locator:
    return screen.page.get_by_test_id("stApp")


def test_charts_follow_the_systems_theme_while_a_page_is_open(screen: Screen) -> None:
    screen.open("/trends")
    tick = screen.main().locator(".xtick text").first
    expect(tick).to_have_css("fill", _AXIS_LIGHT)
    screen.page.emulate_media(color_scheme="dark")
    expect(_app(screen)).to_have_css("background-color", _BLACK)
    expect(tick).to_have_css("fill", _AXIS_DARK)
    screen.page.emulate_media(color_scheme="light")
    expect(tick).to_have_css("fill", _AXIS_LIGHT)


def test_a_chosen_theme_holds_on_every_page_until_the_systems_is_chosen_again(screen: Screen) -> None:
    screen.open("/settings")
    expect(screen.page.get_by_role("radio", name="System")).to_be_checked()
    screen.page.get_by_role("radio", name="Dark").click()
    expect(_app(screen)).to_have_css("background-color", _BLACK)
    expect(screen.page.get_by_role("radio", name="Dark")).to_be_checked()
    for path in ("/", "/trends"):
        screen.open(path)
        expect(_app(screen)).to_have_css("background-color", _BLACK)
    screen.open("/settings")
    screen.page.get_by_role("radio", name="System").click()
    expect(_app(screen)).to_have_css("background-color", _WHITE)
