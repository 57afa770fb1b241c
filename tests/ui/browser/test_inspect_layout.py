"""Answers fits the window, filters by several values at once, and takes one step of the browser's history an action."""

import re

import pytest
from playwright.sync_api import expect

from faithview.domain.answer import AnswerFilter, Order
from faithview.domain.claim import Verdict
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.store.answers import list_answers, list_matching_claims
from faithview.store.results import get_answer
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_PAGE = 50
_BAD = (Verdict.NOT_MENTIONED, Verdict.CONTRADICTED)


@pytest.fixture(scope="module")
def run(services: Store) -> Run:
    return list_runs(services)[2]


def _open(screen: Screen, run: Run, **parameters: str) -> None:
    screen.open("/answers", run=run.run_id, **parameters)
    expect(screen.answer()).to_be_visible()


def _history(screen: Screen) -> int:
    length: int = screen.page.evaluate("history.length")
    return length


def _keys(services: Store, run: Run, filters: AnswerFilter) -> list[str]:
    return [row.key for row in list_answers(services.db, run.run_id, filters, order=Order.HARM, limit=_PAGE).rows]


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720)])
def test_the_answer_has_room_to_be_read_and_label_buttons_follow_it(
    screen: Screen, run: Run, width: int, height: int
) -> None:
    screen.review_as("Ada")
    screen.page.set_viewport_size({"width": width, "height": height})
    _open(screen, run)
    assert screen.page.title() == "Answers · FaithView"
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Answers")
    button = screen.page.get_by_role("button", name=re.compile(r"^Not a claim"))
    expect(button).to_be_visible()
    screen.settle()

    def follow() -> bool:
        box, pane = button.bounding_box(), screen.page.locator(".view").bounding_box()
        if box is None or pane is None or pane["height"] < 480:
            return False
        bottom = box["y"] + box["height"]
        return box["y"] >= pane["y"] + pane["height"] and (bottom <= height or height < 900)

    screen.until(follow, "the answer has 480 px or more, and the label buttons are below it, in a high window in view")
    assert screen.page.locator(".pane.answer").evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    option = screen.selected_claim()
    expect(option.locator(".said")).not_to_have_text("")


def test_the_page_opens_with_the_worst_claim_and_its_evidence_without_a_step_of_history(
    screen: Screen, services: Store
) -> None:
    run = list_runs(services)[0]
    worst = list_answers(services.db, run.run_id, AnswerFilter(), order=Order.HARM, limit=1).rows[0].worst
    assert worst is not None
    screen.open("/")
    screen.settle()
    before = _history(screen)
    screen.page.get_by_role("link", name="Answers", exact=True).click()
    screen.until_page("/answers")
    expect(screen.selected_claim()).to_have_attribute("data-claim", str(worst.number))
    expect(screen.opened_row().locator(".words")).to_contain_text("≠")
    screen.settle()
    assert _history(screen) == before + 1  # the click on the link
    assert screen.parameters().get("claim") is None
    view = screen.chunks()
    lit = view.locator(".mark.lit").first
    expect(lit).to_be_visible()

    def is_high() -> bool:
        box, pane = lit.bounding_box(), view.bounding_box()
        return box is not None and pane is not None and box["y"] < pane["y"] + pane["height"] * 0.67

    screen.until(is_high, "the evidence is in the upper two thirds of its pane")
    titles = view.locator(".chunk, .divider").evaluate_all("all => all.map((one) => one.className.split(' ')[0])")
    assert titles.count("divider") == 1
    assert titles[0] == "chunk"
    # The focus is still on the menu: keys work all the same.
    expect(screen.page.get_by_role("link", name="Answers", exact=True)).to_be_focused()
    screen.key("ArrowRight")
    expect(screen.selected_claim()).not_to_have_attribute("data-claim", str(worst.number))


def test_on_a_tablet_the_list_is_above_the_answer(screen: Screen, run: Run) -> None:
    screen.page.set_viewport_size({"width": 820, "height": 1180})
    _open(screen, run)

    def is_above() -> bool:
        rows, view = screen.page.locator(".answers").bounding_box(), screen.page.locator(".view").bounding_box()
        return rows is not None and view is not None and rows["y"] + rows["height"] <= view["y"] + 1

    screen.until(is_above, "the list is above the answer")


def test_on_a_phone_the_claim_stays_in_view_above_its_chunks(screen: Screen, run: Run) -> None:
    screen.page.set_viewport_size({"width": 600, "height": 1100})
    _open(screen, run)
    screen.key("ArrowRight")
    view, claim = screen.page.locator(".view"), screen.selected_claim()

    def is_in_view() -> bool:
        outer, inner = view.bounding_box(), claim.bounding_box()
        return outer is not None and inner is not None and inner["y"] >= outer["y"] - 1

    screen.page.wait_for_timeout(400)  # what comes late, moves late
    screen.until(is_in_view, "the selected claim begins in its pane")


def test_a_filter_of_several_verdicts_is_one_step_back_and_selects_the_first_claim_that_matches(
    screen: Screen, services: Store, run: Run
) -> None:
    filters = AnswerFilter(verdicts=_BAD)
    wanted = _keys(services, run, filters)
    _open(screen, run)
    before = _history(screen)
    screen.filter_by("Verdict", "not mentioned", "contradicted")
    screen.until_address(verdict="not_mentioned,contradicted")
    assert _history(screen) == before + 2  # a step for each of the two values
    screen.until(lambda: screen.listed() == wanted, "the list shows the answers with such a claim")
    position = get_answer(services.db, run.run_id, wanted[0]).position
    first = list_matching_claims(services.db, run.run_id, position, filters)[0]
    expect(screen.selected_claim()).to_have_attribute("data-claim", str(first))
    screen.page.go_back()
    screen.until_address(verdict="not_mentioned")
    screen.page.go_back()
    screen.until_address(verdict=None)
    screen.until(lambda: screen.listed() == _keys(services, run, AnswerFilter()), "the list shows all answers again")


def test_back_goes_back_one_answer_at_a_time(screen: Screen, services: Store, run: Run) -> None:
    keys = _keys(services, run, AnswerFilter())
    _open(screen, run)
    before = _history(screen)
    for key in keys[1:3]:
        screen.key("j")
        screen.until_address(row=key)
        screen.settle()
    assert _history(screen) == before + 2
    for key in (keys[1], keys[0]):
        screen.page.go_back()
        expect(screen.opened_row()).to_have_attribute("data-key", key)
        screen.settle()


def test_the_sidebar_leads_back_to_the_same_place_in_one_step(screen: Screen, services: Store, run: Run) -> None:
    wanted = _keys(services, run, AnswerFilter(verdicts=(Verdict.CONTRADICTED,)))
    _open(screen, run, verdict="contradicted", row=wanted[1])
    sidebar = screen.page.get_by_test_id("stSidebar")
    sidebar.get_by_role("link", name="Settings").click()
    screen.until_page("/settings")
    before = _history(screen)
    sidebar.get_by_role("link", name="Answers", exact=True).click()
    screen.until(lambda: screen.listed() == wanted, "the filter is still there")
    expect(screen.opened_row()).to_have_attribute("data-key", wanted[1])
    screen.settle()
    assert _history(screen) == before + 1
