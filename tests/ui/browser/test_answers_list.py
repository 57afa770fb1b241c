"""The list of answers as a whole: its filters are kept as tabs, and the keys lead on to its other pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from faithview.domain.saved_tab import TabPage
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.saved_tabs import delete_tab
from faithview.store.saved_tabs import list_tabs
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.fixture
def named(screen: Screen) -> Screen:
    """The dashboard for somebody who has given their name."""
    screen.page.context.add_cookies([{"name": "faithview_reviewer", "value": "Ann", "url": screen.url}])
    return screen


@pytest.fixture
def clean_tabs(services: Store) -> Iterator[None]:
    """Leaves no saved tab behind."""
    yield
    for tab in list_tabs(services.db, TabPage.ANSWERS):
        delete_tab(services, tab.tab_id)


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
