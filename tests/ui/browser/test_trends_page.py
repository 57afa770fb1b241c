"""Trends as a person reads them: a point opens its run, a dragged range lists answers, events stand on the line."""

import re

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


def _bar(screen: Screen, number: int) -> Locator:
    return _chart(screen, 1).locator(".bars .point path").nth(number)


def _opens(screen: Screen, **parameters: str) -> None:
    screen.until_page("/answers")
    screen.until_address(**parameters)
    screen.settle()
    expect(screen.answer()).to_be_visible()


def _drag(screen: Screen, first: int, last: int) -> None:
    left, y = screen.middle_of(_bar(screen, first))
    right, _ = screen.middle_of(_bar(screen, last))
    screen.page.mouse.move(left - 50, y)
    screen.page.mouse.down()
    screen.page.mouse.move(right + 50, y, steps=8)
    screen.page.mouse.up()
    screen.until(lambda: "range" in screen.parameters(), "the range is in the address")
    screen.settle()


def test_a_click_on_a_point_opens_its_run_and_coming_back_stays(screen: Screen, weeks: list[Run]) -> None:
    screen.visit("/trends")
    screen.page.mouse.click(*screen.middle_of(_chart(screen, 0).locator(".points path").nth(1)))
    _opens(screen, run=weeks[1].run_id)
    screen.page.go_back()
    screen.until_page("/trends")
    expect(_chart(screen, 0)).to_be_visible()
    assert screen.path() == "/trends"


def test_a_range_that_is_dragged_lists_its_worst_answers_which_open(
    screen: Screen, services: Store, weeks: list[Run]
) -> None:
    points = load_trend(services, TrendQuery(step=Step.MONTH)).lines[0].points[:1]
    worst = list_worst(services, points)
    # By month, whose points count different numbers of answers: else there are no bars to drag across.
    screen.visit("/trends", by="month", zone="UTC")
    _drag(screen, 0, 0)
    screen.sees(re.compile("Worst answers, .* 2026 to .* 2026"))
    screen.sees("20 answers of 344 judged in 3 runs")
    expect(screen.grid()).to_contain_text(str(worst[0].question))
    table = screen.main().get_by_test_id("stDataFrame")
    screen.click_row(table, 1, x=400)
    _opens(screen, run=worst[0].run_id, row=worst[0].key)
    assert worst[0].run_id in {week.run_id for week in weeks[:3]}


def test_choices_stand_in_the_address(screen: Screen) -> None:
    screen.open("/trends")
    screen.widget("by").get_by_role("radio", name="week").click()
    screen.settle()
    screen.until_address(by="week")
    screen.widget("group").get_by_role("radio", name="kb").click()
    screen.settle()
    screen.until_address(by="week", group="kb")
