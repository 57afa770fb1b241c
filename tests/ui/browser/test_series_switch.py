"""Switching series in the browser: other pages follow, and one step back undoes it."""

import re

import pytest
from playwright.sync_api import expect

from faithview.services.results import list_runs
from tests.factories import N, S, make_claim, make_row, open_services, store_rows
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

HELP, SPORT = "Help centre", "Sport"
_SWITCH = "shell.series"


@pytest.fixture(scope="module")
def database(demo_url: str) -> str:
    """The demo's runs, and three newer runs over other questions."""
    chunks = {"a": "The red team won by three goals."}
    with open_services(demo_url) as services:
        newest = list_runs(services)[0].as_of
        for week, verdict in enumerate((S, N, S)):
            rows = [
                make_row(
                    chunks, make_claim(f"Team {n} won.", verdict, *("a" if verdict is S else "")), question=f"{n}?"
                )
                for n in range(1, 9)
            ]
            run = store_rows(services, f"match {week + 1}", rows, week=40 + week, series=SPORT)
            assert run.as_of > newest
    return demo_url


def _stands_at(screen: Screen, name: str) -> None:
    expect(screen.widget(_SWITCH).locator("input")).to_have_value(name)


def test_other_pages_follow_the_switch_and_write_their_address_once(screen: Screen) -> None:
    screen.open("/trends")
    _stands_at(screen, SPORT)
    screen.choose(_SWITCH, HELP)
    screen.until_address(series=HELP)
    steps = screen.page.evaluate("history.length")
    for name, path in (("Changes", "/changes"), ("Overview", "/"), ("Weak spots", "/weak-spots")):
        screen.page.get_by_test_id("stSidebar").get_by_role("link", name=name).click()
        screen.page.wait_for_url(re.compile(rf"{path}(\?|$)"))
        screen.until_address(series=HELP)
        screen.settle()
        _stands_at(screen, HELP)
    # Each page is opened once and its series named once: nothing writes the address again and again.
    assert screen.page.evaluate("history.length") <= steps + 2 * 3


def test_one_step_back_undoes_the_switch(screen: Screen) -> None:
    screen.open("/")
    screen.sees("match 3")
    steps = screen.page.evaluate("history.length")
    screen.choose(_SWITCH, HELP)
    screen.until_address(series=HELP)
    screen.sees("Help centre 2026-w46")
    assert screen.page.evaluate("history.length") == steps + 1
    screen.page.go_back()
    screen.until_address(series=None)
    screen.settle()
    _stands_at(screen, SPORT)
    screen.sees("match 3")
