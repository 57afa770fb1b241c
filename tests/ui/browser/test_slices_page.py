"""Where it goes wrong: a click on a slice opens just its answers, and back returns to the slices."""

import re

import pytest

from faithview.services.container import Store
from faithview.services.results import get_answer_at, list_runs
from faithview.services.weak_spots.slices import FoundSlice, find_slices
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


def _found(services: Store) -> tuple[str, FoundSlice]:
    run = next(run for run in list_runs(services) if run.name.endswith("w43"))
    return run.run_id, find_slices(services, run.run_id).slices[0]


def _keys(services: Store, run_id: str, positions: tuple[int, ...]) -> set[str]:
    return {get_answer_at(services, run_id, position).sample.key for position in positions}


def _click_row(screen: Screen, number: int) -> None:
    table = screen.main().get_by_test_id("stDataFrame").first
    screen.click_row(table, number, x=60)


def test_a_click_on_a_slice_opens_just_its_answers(screen: Screen, services: Store) -> None:
    run_id, low = _found(services)
    screen.open("/weak-spots", run=run_id)
    screen.sees(re.compile(f"n {len(low.positions)}, p "))
    _click_row(screen, 1)
    screen.until_page("/answers")
    wanted = _keys(services, run_id, low.positions)
    screen.until(lambda: set(screen.listed()) == wanted, "the list shows the answers of the slice")
    screen.page.go_back()
    screen.until_page("/weak-spots")
    _click_row(screen, 2)
    screen.until_page("/answers")
    within = _keys(services, run_id, low.parts[0].positions)
    screen.until(lambda: set(screen.listed()) == within, "the list shows the answers of the slice within it")
