"""Trends as a person reads them: a point opens its run, or lists the worst answers of several."""

import pytest
from playwright.sync_api import Locator, expect

from faithview.domain.buckets import Step
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.trends import TrendQuery, list_worst, load_trend
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.fixture(scope="module")
def weeks(services: Store) -> list[Run]:
    """The demo's runs, oldest first."""
    return sorted(list_runs(services), key=lambda run: run.as_of)


def _chart(screen: Screen, number: int) -> Locator:
    return screen.main().locator(".js-plotly-plot").nth(number)


def _opens(screen: Screen, **parameters: str) -> None:
    screen.until_page("/answers")
    screen.until_address(**parameters)
    screen.settle()
    expect(screen.answer()).to_be_visible()


def test_a_click_on_a_point_opens_its_run_and_coming_back_stays(screen: Screen, weeks: list[Run]) -> None:
    screen.visit("/trends")
    screen.page.mouse.click(*screen.middle_of(_chart(screen, 0).locator(".points path").nth(1)))
    _opens(screen, run=weeks[1].run_id)
    screen.page.go_back()
    screen.until_page("/trends")
    expect(_chart(screen, 0)).to_be_visible()
    assert screen.path() == "/trends"


def test_a_month_of_several_runs_lists_its_worst_answers_which_open(screen: Screen, services: Store) -> None:
    points = load_trend(services, TrendQuery(step=Step.MONTH)).lines[0].points[:1]
    worst = list_worst(services, points)
    screen.visit("/trends", by="month")
    screen.page.mouse.click(*screen.middle_of(_chart(screen, 0).locator(".points path").nth(0)))
    screen.sees("The worst answers of 3 runs, n 344")
    expect(screen.grid()).to_contain_text(str(worst[0].question))
    screen.click_row(screen.main().get_by_test_id("stDataFrame"), 1, x=200)
    _opens(screen, run=worst[0].run_id, row=worst[0].key)


def test_choices_stand_in_the_address(screen: Screen) -> None:
    screen.open("/trends")
    screen.pick("week")
    screen.until_address(by="week")
    screen.pick("run")
    screen.until_address(by=None)
