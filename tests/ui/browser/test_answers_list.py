"""The list of answers as a whole: its filters are kept as tabs, and the keys lead on to its other pages."""

import json

import pytest
from playwright.sync_api import expect

from faithview.domain.answer import AnswerFilter, Order
from faithview.domain.inbox import InboxFilter
from faithview.domain.saved_tab import TabPage
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.review.inbox import PAGE_SIZE, list_groups
from faithview.store.answers import list_answers
from faithview.store.saved_tabs import list_tabs
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.mark.usefixtures("clean_tabs")
def test_filters_and_order_are_saved_as_a_tab_for_everybody_and_removed(
    named: Screen, other_screen: Screen, services: Store
) -> None:
    runs = list_runs(services)
    named.open("/answers", run=runs[0].run_id, verdict="contradicted", order="worst")
    named.widget("answers.tab.save").get_by_role("button").first.click()
    named.write(named.page.get_by_label("Name of the tab"), "The worst")
    named.page.get_by_role("button", name="Save", exact=True).click()
    tab = named.page.get_by_role("radio", name="The worst")
    expect(tab).to_be_checked()
    other_screen.open("/answers", run=runs[1].run_id)
    other_screen.pick("The worst")
    other_screen.until_address(run=runs[1].run_id, verdict="contradicted", order="worst")
    other_screen.pick("All answers")
    other_screen.until_address(run=runs[1].run_id, verdict=None, order=None)
    other_screen.open("/claims")
    expect(other_screen.page.get_by_role("radio", name="The worst")).to_have_count(0)
    named.press("Remove this tab")
    expect(tab).to_have_count(0)
    assert list_tabs(services.db, TabPage.ANSWERS) == []


def test_j_and_k_beyond_the_edge_turn_to_the_next_page_of_the_list_and_back(screen: Screen, services: Store) -> None:
    run = list_runs(services)[0]
    pages = [
        list_answers(services.db, run.run_id, AnswerFilter(), order=Order.HARM, offset=at, limit=50).rows
        for at in (0, 50)
    ]
    last, first = pages[0][-1].key, pages[1][0].key
    screen.open("/answers", run=run.run_id, row=last)
    expect(screen.opened_row()).to_have_attribute("data-key", last)
    screen.key("j")
    screen.until_address(row=first)
    expect(screen.opened_row()).to_have_attribute("data-key", first)
    assert screen.listed()[0] == first
    screen.key("j")
    screen.until_address(row=pages[1][1].key)
    screen.page.keyboard.press("k")
    screen.page.keyboard.press("k")  # before the page has drawn the answer of the first press
    screen.until_address(row=last)
    expect(screen.opened_row()).to_have_attribute("data-key", last)
    assert screen.listed()[-1] == last
    screen.open("/answers", run=run.run_id, row=pages[0][0].key)
    screen.key("k")
    expect(screen.opened_row()).to_have_attribute("data-key", pages[0][0].key)


def test_j_and_k_go_on_to_the_next_page_of_claims_that_a_reader_came_from(screen: Screen, services: Store) -> None:
    series = list_runs(services)[0].series
    pages = [list_groups(services, InboxFilter(), series=series, offset=at).groups for at in (0, PAGE_SIZE)]
    last, first = pages[0][-1], pages[1][0]
    screen.open("/answers", run=last.run_id, row=last.key, claim=str(last.claim_number), claims="page=1")
    named = json.dumps([last.run_id, last.key, last.claim_number])
    expect(screen.opened_row()).to_have_attribute("data-key", named)
    screen.key("j")
    screen.until_address(run=first.run_id, row=first.key, claim=str(first.claim_number), claims="page=2")
    screen.key("k")
    screen.until_address(run=last.run_id, row=last.key, claim=str(last.claim_number), claims="page=1")
