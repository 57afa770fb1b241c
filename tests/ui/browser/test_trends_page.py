"""Trends as a person reads them: a point opens its run, a dragged range lists answers, events stand on the line."""

import re

import pytest
from playwright.sync_api import Locator, expect

from faithview.domain.buckets import Step
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.events import add_event, delete_event
from faithview.services.results import list_runs
from faithview.services.trends import TrendQuery, list_worst, load_trend
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_HOSTILE = "<b>bold</b> <img src=x onerror=alert(1)> $x$"


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


def _edges(drawn: Locator) -> tuple[float, float]:
    """The left and the right edge of a drawing."""
    box = drawn.bounding_box()
    assert box is not None
    return box["x"], box["x"] + box["width"]


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


def test_the_last_fall_is_tinted_up_to_its_recovery_where_its_line_is_the_main_one(screen: Screen) -> None:
    screen.visit("/trends")
    tint = _chart(screen, 0).locator('.layer-below .shapelayer path[style*="fill: rgb(184, 58, 0)"]')
    expect(tint).to_have_count(1)
    events = _chart(screen, 0).locator(".layer-above .shapelayer path")
    (left, _), (right, _) = _edges(events.nth(0)), _edges(events.nth(1))
    assert _edges(tint) == pytest.approx((left, right), abs=2)


def test_a_click_on_a_point_opens_its_run_and_coming_back_stays(screen: Screen, weeks: list[Run]) -> None:
    screen.visit("/trends")
    screen.page.mouse.click(*screen.middle_of(_chart(screen, 0).locator(".points path").nth(1)))
    _opens(screen, run=weeks[1].run_id)
    screen.page.go_back()
    screen.until_page("/trends")
    expect(_chart(screen, 0)).to_be_visible()
    assert screen.path() == "/trends"


def test_a_point_of_a_panel_opens_its_run_at_that_segment(screen: Screen, weeks: list[Run]) -> None:
    screen.visit("/trends")
    panels = _chart(screen, 1)
    panels.scroll_into_view_if_needed()
    expect(panels.locator(".annotation-text").first).to_have_text("Handovers  0.95")  # what moved stands first
    screen.page.mouse.click(*screen.middle_of(panels.locator(".points path").nth(2)))
    _opens(screen, run=weeks[2].run_id, segment="Handovers")


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


def test_a_link_to_a_range_opens_it_for_a_colleague_and_it_can_be_cleared(screen: Screen, other_screen: Screen) -> None:
    screen.visit("/trends", by="month", zone="UTC")
    _drag(screen, 1, 1)
    other_screen.open("/trends", **screen.parameters())
    other_screen.sees("20 answers of 231 judged in 2 runs")
    expect(_chart(other_screen, 0).locator(".shapelayer path")).to_have_count(3)
    other_screen.press("Clear the range")
    other_screen.until_address(range=None)
    expect(other_screen.main().get_by_role("heading", name="Worst answers")).to_have_count(0)


def test_choices_stand_in_the_address(screen: Screen) -> None:
    screen.open("/trends")
    screen.widget("by").get_by_role("radio", name="week").click()
    screen.settle()
    screen.until_address(by="week")
    screen.widget("group").get_by_role("radio", name="kb").click()
    screen.settle()
    screen.until_address(by="week", group="kb")


def test_a_month_of_several_runs_lists_its_worst_answers(screen: Screen) -> None:
    screen.visit("/trends", by="month", zone="UTC")
    screen.page.mouse.click(*screen.middle_of(_chart(screen, 0).locator(".points path").nth(0)))
    screen.until(lambda: "range" in screen.parameters(), "the month is in the address")
    screen.settle()
    screen.sees("20 answers of 344 judged in 3 runs")


def test_before_and_after_are_compared_from_the_finding_and_from_an_event(screen: Screen, weeks: list[Run]) -> None:
    expected = {"baseline": weeks[0].run_id, "candidate": weeks[1].run_id}
    for key in ("trends.compare", "events.compare.1"):
        screen.visit("/trends")
        screen.widget(key).get_by_role("button").click()
        screen.until_page("/changes")
        screen.until_address(**expected)


def test_a_hostile_label_is_shown_as_it_is(screen: Screen, services: Store, weeks: list[Run]) -> None:
    event = add_event(services, _HOSTILE, at=weeks[1].as_of)
    try:
        screen.visit("/trends")
        labels = _chart(screen, 0).locator(".annotation-text")
        expect(labels).to_have_count(3)
        assert any((text or "").startswith("<b>bold</b> <img") for text in labels.all_text_contents())
        expect(screen.main().locator("img[src='x']")).to_have_count(0)
        screen.sees(_HOSTILE)
    finally:
        assert event.event_id is not None
        delete_event(services, event.event_id)
