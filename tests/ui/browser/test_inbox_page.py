"""The inbox in a browser: claims are found, filtered, opened, labelled together, assigned and kept as a tab."""

import re

import pytest
from playwright.sync_api import Locator, expect

from faithview.domain.claim import Verdict
from faithview.domain.inbox import TO_CHECK, Facet, InboxFilter, InboxPage, make_filter
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.review.inbox import CHECK_THIS, TO_LABEL, count_claims, list_groups
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
    ids = [str(group.group_id) for group in page.groups]
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


def test_claims_to_check_are_found_among_the_labels_and_in_a_tab_of_their_own(screen: Screen, services: Store) -> None:
    found = _page(services, CHECK_THIS)
    assert found.groups
    screen.visit("/claims")
    value = _menu(screen, Facet.LABEL).locator(f"[data-value={TO_CHECK}]")
    expect(value).to_have_text(f"check this{found.total_claims:,}")
    value.locator("input").check()
    screen.until_address(labels=TO_CHECK)
    _lists(screen, found)
    expect(_rows(screen).locator(".verdict").first).to_contain_text("check this")
    screen.key("Escape")
    screen.page.get_by_role("button", name="Clear all").click()
    screen.until_address(labels=None)
    screen.page.get_by_role("radio", name=f"Check this {found.total_claims:,}").click()
    screen.until_address(labels=TO_CHECK)
    _lists(screen, found)
    screen.sees("Claims in")


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


def test_j_and_k_walk_the_list_that_an_answer_was_opened_from_and_a_button_leads_back(
    named: Screen, services: Store
) -> None:
    page = _page(services, make_filter("", {Facet.VERDICT: [Verdict.CONTRADICTED]}))
    named.open("/claims", verdicts="contradicted")
    _lists(named, page)
    _rows(named).nth(0).locator(".open").click()
    named.until_page("/answers")
    back = named.widget("inspect.back")
    expect(back).to_contain_text(f"{page.total_groups} claims, filtered")
    for key, group in (("j", page.groups[1]), ("j", page.groups[2]), ("k", page.groups[1])):
        named.key(key)
        named.until_address(run=group.run_id, row=group.key, claim=str(group.claim_number))
        expect(named.opened_row().locator(".words")).to_have_text(group.text)
        expect(named.selected_claim()).to_have_attribute("data-claim", str(group.claim_number))
    named.key("1")
    expect(named.opened_row().locator(".labelled")).to_have_count(1)
    named.settle()
    named.key("j")  # the list is as it was, although the claim before is not contradicted any more
    named.until_address(row=page.groups[2].key)
    named.key("k")
    named.until_address(row=page.groups[1].key)
    named.settle()
    named.key("u")
    expect(named.opened_row().locator(".labelled")).to_have_count(0)
    back.get_by_role("button").click()
    named.until_page("/claims")
    assert named.parameters() == {"verdicts": "contradicted"}
    _lists(named, page)


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


def test_without_a_name_nothing_is_labelled_and_the_page_says_why(screen: Screen) -> None:
    screen.open("/claims")
    _rows(screen).first.locator(".tick").check()
    expect(screen.page.locator("[data-faithview-inbox] .refusal")).to_contain_text(
        "Enter your name first, at the top right"
    )
    expect(screen.page.locator("[data-faithview-inbox] .choice")).to_have_count(0)


def test_pages_are_turned_and_kept_in_the_address(screen: Screen, services: Store) -> None:
    second = _page(services, offset=20)
    screen.visit("/claims")
    screen.page.get_by_test_id("stPaginationNext").click()
    screen.until_address(page="2")
    _lists(screen, second)
    screen.page.reload()
    _lists(screen, second)


def test_the_menu_counts_the_claims_to_label_as_the_tab_does(named: Screen, services: Store) -> None:
    waiting = count_claims(services, TO_LABEL, series=list_runs(services)[0].series)
    named.open("/claims")
    pill = named.page.locator(".st-key-count-claims")
    expect(pill.get_by_text(f"{waiting}", exact=True).first).to_be_visible()
    expect(named.page.get_by_role("radio", name=f"To label {waiting}", exact=True)).to_be_visible()
    named.open("/claims", labels="unlabelled", verdicts="not_mentioned")
    _rows(named).first.locator(".tick").check()
    named.page.keyboard.press("3")
    named.sees(re.compile("Labelled [0-9]+ claim"))
    labelled = waiting - count_claims(services, TO_LABEL, series=list_runs(services)[0].series)
    assert labelled > 0
    expect(pill.get_by_text(f"{waiting - labelled}", exact=True).first).to_be_visible()
