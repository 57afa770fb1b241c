"""Where it goes wrong: a click on a slice opens just its answers, and back returns to the slices."""

import re

import pytest
from playwright.sync_api import expect

from faithview.services.container import Services
from faithview.services.results.answers import get_answer_at
from faithview.services.results.runs import list_runs
from faithview.services.slices.find import FoundSlice, find_slices
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_ROW = 35  # px: how high Streamlit draws a row


def _found(services: Services) -> tuple[str, FoundSlice]:
    run = next(run for run in list_runs(services) if run.name.endswith("w43"))
    return run.run_id, find_slices(services, run.run_id).slices[0]


def _keys(services: Services, run_id: str, positions: tuple[int, ...]) -> set[str]:
    return {get_answer_at(services, run_id, position).sample.key for position in positions}


def _click_row(screen: Screen, number: int) -> None:
    table = screen.main().get_by_test_id("stDataFrame").first
    # Streamlit draws the table's cells on a canvas; before there is one, a click goes nowhere.
    expect(table.locator("canvas").first).to_be_visible()
    screen.settle()
    box = table.bounding_box()
    assert box is not None
    screen.page.mouse.click(box["x"] + 60, box["y"] + (number + 0.5) * _ROW)


def test_a_click_on_a_slice_opens_just_its_answers(screen: Screen, services: Services) -> None:
    run_id, low = _found(services)
    screen.open("/slices", run=run_id)
    screen.sees(re.compile(f"n {len(low.positions)}, p "))
    _click_row(screen, 1)
    screen.until(lambda: screen.path() == "/inspect", "the answers open")
    screen.settle()
    wanted = _keys(services, run_id, low.positions)
    screen.until(lambda: set(screen.listed()) == wanted, "the list shows the answers of the slice")
    screen.page.go_back()
    screen.until(lambda: screen.path() == "/slices", "the slices are back")
    screen.settle()
    _click_row(screen, 2)
    screen.until(lambda: screen.path() == "/inspect", "the answers of a slice within it open")
    screen.settle()
    within = _keys(services, run_id, low.parts[0].positions)
    screen.until(lambda: set(screen.listed()) == within, "the list shows the answers of the slice within it")
    screen.press("Show all answers")
    screen.until_address(slice=None)
    screen.settle()
    screen.until(lambda: len(screen.listed()) > len(low.positions), "the list shows all answers")
