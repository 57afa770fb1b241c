"""Claims in a browser: found, filtered, opened, labelled and assigned together."""

import pytest
from playwright.sync_api import expect

from faithview.domain.claim import Verdict
from faithview.domain.inbox import Facet, InboxFilter, InboxPage, make_filter
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.review.inbox import list_groups
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_HEAD_PX, _ROW_PX = 36, 66
_TICK, _CLAIM = 16, 400  # px from the table's left edge


def _page(services: Store, filters: InboxFilter | None = None) -> InboxPage:
    return list_groups(services, filters or InboxFilter(), series=list_runs(services)[0].series)


def _lists(screen: Screen, page: InboxPage) -> None:
    """Wait until the table has these claims in this order; its rows outside of the window are not drawn."""
    claims = screen.grid().locator("td[aria-colindex='2']")
    expect(claims.first).to_have_text(page.groups[0].text)
    screen.sees(f"of {page.total_groups:,} different claim")
    drawn = claims.all_inner_texts()
    assert drawn == [group.text for group in page.groups][: len(drawn)]


def _click(screen: Screen, row: int, *, x: int) -> None:
    screen.settle()
    left, top = _corner(screen)
    screen.page.mouse.click(left + x, top + _HEAD_PX + (row - 0.5) * _ROW_PX)
    screen.settle()


def _corner(screen: Screen) -> tuple[float, float]:
    table = screen.main().get_by_test_id("stDataFrame")
    box = table.bounding_box()
    assert box is not None
    middle = screen.middle_of(table)
    return middle[0] - box["width"] / 2, middle[1] - box["height"] / 2


def test_claims_are_found_and_filtered_and_the_way_back_undoes_it(visitor: Screen, services: Store) -> None:
    visitor.visit("/claims")
    everything = _page(services)
    _lists(visitor, everything)
    word = max(everything.groups[0].text.replace(".", "").split(), key=len)
    found = _page(services, make_filter(word, {}))
    assert 0 < found.total_groups < everything.total_groups
    visitor.enter(visitor.widget("inbox.find").locator("input"), word)
    visitor.until_address(find=word)
    _lists(visitor, found)
    visitor.page.go_back()
    _lists(visitor, everything)
    contradicted = _page(services, make_filter("", {Facet.VERDICT: [Verdict.CONTRADICTED]}))
    visitor.page.get_by_role("button", name="Filter", exact=True).click()
    visitor.page.get_by_test_id("stPopoverBody").get_by_role("combobox", name="Verdict").click()
    visitor.page.get_by_role("option", name=f"contradicted ({contradicted.total_claims:,})").click()
    visitor.until_address(verdicts="contradicted")
    visitor.page.keyboard.press("Escape")
    visitor.page.keyboard.press("Escape")
    _lists(visitor, contradicted)
    visitor.press("Clear")
    _lists(visitor, everything)


def test_a_click_opens_a_claim_in_its_answer_and_back_leads_to_the_same_list(visitor: Screen, services: Store) -> None:
    page = _page(services, make_filter("", {Facet.VERDICT: [Verdict.NOT_MENTIONED]}))
    visitor.visit("/claims", verdicts="not_mentioned")
    _lists(visitor, page)
    group = page.groups[1]
    _click(visitor, 2, x=_CLAIM)
    visitor.until_page("/answers")
    visitor.until_address(run=group.run_id, row=group.key, claim=str(group.claim_number))
    expect(visitor.selected_claim()).to_have_attribute("data-claim", str(group.claim_number))
    visitor.page.go_back()
    visitor.until_page("/claims")
    _lists(visitor, page)


def test_ticked_claims_are_labelled_by_one_key_and_taken_back(named: Screen, services: Store) -> None:
    named.open("/claims", labels="unlabelled")
    filters = make_filter("", {Facet.LABEL: ["unlabelled"]})
    before = _page(services, filters)
    _lists(named, before)
    for row in (1, 3):
        _click(named, row, x=_TICK)
    named.page.wait_for_timeout(500)  # Streamlit sends what is ticked after a pause
    expect(named.widget("inbox.label.supported").locator("button")).to_be_enabled()
    named.key("1")
    named.sees("Labelled")
    after = _page(services, filters)
    assert after.total_claims < before.total_claims
    assert {before.groups[at].text for at in (0, 2)}.isdisjoint(group.text for group in after.groups)
    named.press("Undo")
    named.sees("back.")
    named.settle()
    assert _page(services, filters) == before


def test_ticked_claims_are_assigned_and_found_under_the_reviewers_name(named: Screen, services: Store) -> None:
    named.open("/claims")
    page = _page(services)
    _lists(named, page)
    _click(named, 2, x=_TICK)
    named.choose_new("inbox.assign.0", "Ann")
    named.sees("assigned to Ann")
    named.page.get_by_role("radio", name="Assigned to me").click()
    named.until_address(assignees="Ann")
    expect(named.grid().locator("td[aria-colindex='2']")).to_have_text([page.groups[1].text])
