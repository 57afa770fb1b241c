"""The inbox in a browser: claims are found, filtered, opened, labelled together, assigned and kept as a tab."""

import pytest
from playwright.sync_api import Locator, expect

from faithview.domain.claim import Verdict
from faithview.domain.inbox import Facet, InboxFilter, InboxPage, make_filter
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.review.inbox import list_groups
from faithview.wording.inbox import group_words
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


def _page(services: Store, filters: InboxFilter | None = None, *, offset: int = 0) -> InboxPage:
    series = list_runs(services)[0].series
    return list_groups(services, filters or InboxFilter(), series=series, offset=offset)


def _rows(screen: Screen) -> Locator:
    return screen.page.locator("[data-faithview-inbox] .row")


def _lists(screen: Screen, page: InboxPage) -> None:
    ids = [str(group.claim_id) for group in page.groups]
    screen.until(
        lambda: _rows(screen).evaluate_all("rows => rows.map((row) => row.dataset.id)") == ids, f"{len(ids)} rows"
    )
    screen.settle()


def _find(screen: Screen, words: str) -> None:
    field = screen.widget("inbox.find").locator("input")
    screen.enter(field, words)
    screen.until_address(find=words or None)


def _menu(screen: Screen, facet: Facet) -> Locator:
    screen.page.locator(f"[data-faithview-facets] [data-facet={facet.value}]").click()
    return screen.page.locator(f"[data-faithview-menu={facet.value}]")


def _words_of(page: InboxPage) -> list[str]:
    """Return two words of the first claim that are far apart, the later one first."""
    words = [word.strip(".,") for word in page.groups[0].text.split() if word.strip(".,").isalpha() and len(word) > 4]
    return [words[-1], words[0]]


def test_claims_are_found_by_words_in_any_order_and_by_phrases(screen: Screen, services: Store) -> None:
    screen.visit("/claims")
    everything = _page(services)
    _lists(screen, everything)
    words = _words_of(everything)
    found = _page(services, make_filter(" ".join(words), {}))
    assert 0 < found.total_groups < everything.total_groups
    _find(screen, " ".join(words))
    _lists(screen, found)
    marked = _rows(screen).first.locator("mark").all_inner_texts()
    assert {word.casefold() for word in words} <= {word.casefold() for text in marked for word in text.split()}
    phrase = f'"{" ".join(words)}"'
    assert _page(services, make_filter(phrase, {})).total_groups == 0
    _find(screen, phrase)
    screen.sees("No claim matches.")
    screen.page.go_back()
    _lists(screen, found)
    screen.page.reload()
    _lists(screen, found)


def test_a_facet_counts_and_filters_and_several_values_hold_together(screen: Screen, services: Store) -> None:
    screen.visit("/claims")
    menu = _menu(screen, Facet.VERDICT)
    contradicted = make_filter("", {Facet.VERDICT: [Verdict.CONTRADICTED]})
    value = menu.locator("[data-value=contradicted]")
    expect(value.locator(".count")).to_have_text(f"{_page(services, contradicted).total_claims:,}")
    value.locator("input").check()
    screen.until_address(verdicts="contradicted")
    _lists(screen, _page(services, contradicted))
    menu.locator("[data-value=supported] input").check()
    both = make_filter("", {Facet.VERDICT: [Verdict.CONTRADICTED, Verdict.SUPPORTED]})
    _lists(screen, _page(services, both))
    screen.key("Escape")
    screen.page.get_by_role("button", name="Clear all").click()
    screen.until_address(verdicts=None)
    _lists(screen, _page(services))


def test_a_row_opens_its_claim_in_one_step_and_the_way_back_leads_to_the_same_list(
    screen: Screen, services: Store
) -> None:
    filters = make_filter("", {Facet.VERDICT: [Verdict.NOT_MENTIONED]})
    page = _page(services, filters)
    screen.visit("/claims", verdicts="not_mentioned")
    _lists(screen, page)
    group = page.groups[1]
    row = _rows(screen).nth(1)
    expect(row.locator(".open")).to_have_text(group.text)
    expect(row.locator(".where")).to_have_text(group_words(group))
    steps = screen.page.evaluate("history.length")
    row.locator(".open").click()
    screen.until_page("/answers")
    claim = {"run": group.run_id, "row": group.key, "claim": str(group.claim_number)}
    assert screen.parameters() == {**claim, "claims": "verdicts=not_mentioned"}
    expect(screen.selected_claim()).to_have_attribute("data-claim", str(group.claim_number))
    assert screen.page.evaluate("history.length") == steps + 1
    screen.page.go_back()
    screen.until_page("/claims")
    _lists(screen, page)
    assert screen.parameters() == {"verdicts": "not_mentioned"}


def test_rows_are_reached_ticked_and_opened_by_keyboard(screen: Screen, services: Store) -> None:
    page = _page(services)
    screen.visit("/claims")
    _lists(screen, page)
    for key in ("j", "j", "ArrowDown", "k"):
        screen.key(key)
    expect(_rows(screen).nth(1).locator(".open")).to_be_focused()
    screen.key("x")
    expect(_rows(screen).nth(1).locator(".tick")).to_be_checked()
    screen.key("Enter")
    screen.until_page("/answers")
    screen.until_address(run=page.groups[1].run_id, row=page.groups[1].key)
    screen.settle()


def test_two_rows_are_labelled_at_once_and_one_undo_takes_it_back(named: Screen, services: Store) -> None:
    before = _page(services)
    named.open("/claims")
    _lists(named, before)
    for at in (0, 2):
        _rows(named).nth(at).locator(".tick").check()
    ticked = sum(before.groups[at].listed for at in (0, 2))
    expect(named.page.locator("[data-faithview-inbox] .status")).to_have_text(f"2 rows ticked, {ticked} claims")
    named.page.locator("[data-faithview-inbox] [data-choice=supported]").click()
    named.sees("Labelled")
    after = _page(services)
    assert after.total_claims < before.total_claims
    _lists(named, before)  # in the same order, until the filter changes
    expect(_rows(named).nth(0).locator(".tick")).to_be_disabled()
    named.press("Undo")
    named.sees("back.")
    _lists(named, before)
    assert _page(services) == before


def test_ticked_rows_are_assigned_and_found_under_the_reviewers_name(named: Screen, services: Store) -> None:
    named.open("/claims")
    page = _page(services)
    _lists(named, page)
    _rows(named).nth(1).locator(".tick").check()
    named.write(named.page.get_by_label("Assign to"), "Ann")
    named.page.get_by_role("button", name="Assign", exact=True).click()
    named.sees("assigned to Ann")
    named.page.get_by_role("radio", name="Assigned to me").click()
    named.until_address(assignees="Ann")
    expect(_rows(named)).to_have_count(1)
    expect(_rows(named).locator(".assigned")).to_have_text("assigned to Ann")
    named.page.locator("[data-faithview-inbox] .all input").check()
    named.page.get_by_role("button", name="Assign", exact=True).click()
    named.sees("unassigned")
    expect(_rows(named).locator(".tick")).to_be_disabled()
    named.open("/claims", assignees="Ann")
    named.sees("No claim matches.")
