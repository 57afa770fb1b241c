"""What the overview points to opens."""

import pytest
from playwright.sync_api import expect

from faithview.domain.run import RunSummary
from faithview.services.container import Store
from faithview.services.results import list_summaries
from faithview.services.review.labels import claim_history, find_most_harmful
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.fixture(scope="module")
def summaries(services: Store) -> list[RunSummary]:
    return list_summaries(services)


def _opens(screen: Screen, **parameters: str) -> None:
    screen.until_page("/answers")
    screen.until_address(**parameters)
    screen.settle()
    expect(screen.answer()).to_be_visible()


def test_a_point_of_the_trend_opens_its_run(screen: Screen, summaries: list[RunSummary]) -> None:
    screen.visit("/")
    oldest = min(summaries, key=lambda s: s.run.as_of).run
    point = screen.page.locator(".js-plotly-plot .points path").first
    screen.page.mouse.click(*screen.middle_of(point))
    _opens(screen, run=oldest.run_id)


def test_a_row_of_the_table_opens_its_run_and_coming_back_stays(screen: Screen, summaries: list[RunSummary]) -> None:
    screen.visit("/")
    screen.open_expander("All runs")
    table = screen.main().get_by_test_id("stDataFrame")
    expect(screen.grid()).to_contain_text(summaries[1].run.name)
    expect(screen.grid().locator("[role=columnheader]").first).to_have_text("Run")  # and no column of boxes before it
    screen.click_row(table, 2, x=90)
    _opens(screen, run=summaries[1].run.run_id)
    screen.page.go_back()
    screen.until_page("/")
    screen.open_expander("All runs")
    expect(table).to_be_visible()
    assert screen.path() == "/"


def test_a_key_labels_the_claim_that_could_do_most_harm(screen: Screen, services: Store) -> None:
    screen.visit("/")
    card = screen.page.locator(".view.card")
    expect(card.locator(".mark.boxed")).to_have_count(2)  # the words at fault, on both sides
    place = find_most_harmful(services, list_summaries(services)[0].run.run_id)
    assert place is not None
    expect(screen.page.get_by_role("button", name="Contradicted (4)")).to_be_visible()
    screen.key("4")
    screen.enter(screen.page.get_by_role("textbox", name="Your name"), "Key")
    expect(screen.page.get_by_role("button", name="Undo (U)")).to_be_visible()
    own = [label for label in claim_history(services, place.run_id, place.row) if label.reviewer == "Key"]
    assert [(label.claim_number, str(label.verdict)) for label in own] == [(place.claim_number, "contradicted")]
    screen.key("u")
    expect(screen.page.get_by_role("button", name="Undo (U)")).to_have_count(0)
