"""The board of sources: a row opens its chunk, a claim opens where it was made, and coming back stays."""

import re

import pytest
from playwright.sync_api import expect

from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.weak_spots.sources import Fault, load_board
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


def _choose(screen: Screen, segment: str) -> None:
    screen.page.get_by_role("radio", name=segment, exact=True).click()


def test_a_row_opens_its_chunk_and_the_address_brings_a_colleague_there(
    screen: Screen, other_screen: Screen, services: Store
) -> None:
    run = list_runs(services)[0]
    second = load_board(services, run.run_id).faults[Fault.UNUSED][1]
    screen.visit("/weak-spots", tab="sources", run=run.run_id)
    _choose(screen, f"never used ({load_board(services, run.run_id).totals[Fault.UNUSED]})")
    screen.until_address(fault="unused")
    screen.settle()
    table = screen.main().get_by_test_id("stDataFrame").first
    screen.click_row(table, 2, x=60)
    screen.until_address(source=str(second.text_id))
    screen.settle()
    screen.sees(str(second.text))
    other_screen.open("/weak-spots", **screen.parameters())
    other_screen.sees(str(second.text))


def test_a_claim_opens_beside_its_chunks_and_coming_back_stays(screen: Screen, services: Store) -> None:
    run = list_runs(services)[0]
    screen.visit("/weak-spots", tab="sources", run=run.run_id, fault="contradicted")
    hit = screen.page.locator("[data-faithview-hits] .hit").first
    expect(hit.locator(".verdict")).to_have_text(re.compile("contradicted"))
    said = hit.locator(".said").inner_text()
    hit.click()
    screen.until_page("/answers")
    expect(screen.selected_claim()).to_be_visible()
    expect(screen.answer()).to_contain_text(said)
    screen.page.go_back()
    screen.until_page("/weak-spots")
    screen.until_address(fault="contradicted")
