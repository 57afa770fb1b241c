"""A person pastes an answer and sees what would be sent instead: the answer, a corrected one, or nothing."""

import re

import pytest
from playwright.sync_api import expect

from faithview.services.container import Store
from faithview.services.results import get_run, iterate_answers
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_ANSWER = "Shared inboxes hold up to 50 members. Links expire after 7 days. Cats may join for a fee of 9 euros."
_CHUNKS = "Shared inboxes hold up to 20 members.\n\nLinks expire after 7 days."


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


def _guard(screen: Screen, *, answer: str = _ANSWER, chunks: str = _CHUNKS) -> None:
    screen.visit("/try", tab="correct")
    screen.write(screen.page.get_by_label("Question"), "How many?")
    screen.write(screen.page.get_by_role("textbox", name="Answer", exact=True), answer)
    screen.write(screen.page.get_by_role("textbox", name="Chunks", exact=True), chunks)
    screen.press("Correct the answer")
    screen.settle()


def test_what_would_be_sent_stands_beside_what_was_given_with_the_difference_marked(screen: Screen) -> None:
    _guard(screen)
    screen.sees(re.compile(r"Passes once corrected: 2 of 3 claims are not fully supported"))
    screen.sees(re.compile("1 of 3 claims supported, faithfulness 0.33"))
    screen.sees(re.compile("2 of 2 claims supported, faithfulness 1.00"))
    given, corrected = screen.main().locator(".fv-text").all()
    assert given.inner_text() == _ANSWER
    marks = given.locator("mark")
    described = {marks.nth(n).get_attribute("title") for n in range(marks.count())}
    assert described == {"Claim 1: contradicted", "Claim 3: not mentioned"}
    expect(corrected.locator("del")).to_have_text(["50", ". Cats may join for a fee of 9 euros"])
    expect(corrected.locator("ins")).to_have_text(["20"])
    screen.sees(re.compile("Claim 3: “Cats may join for a fee of 9 euros.” was removed"))


def test_an_answer_without_anything_supported_is_blocked_and_not_emptied(screen: Screen) -> None:
    _guard(screen, answer="Cats may join for a fee of 9 euros.")
    screen.sees(re.compile("Blocked: its only claim is not fully supported"))
    expect(screen.main().get_by_text("Corrected", exact=True)).to_have_count(0)
    expect(screen.main().locator(".fv-text")).to_have_text("Cats may join for a fee of 9 euros.")


def test_the_versions_are_saved_as_one_run_of_their_own(screen: Screen, services: Store) -> None:
    screen.open("/try", tab="correct")  # with the usual threshold
    _guard(screen)
    screen.press("Save as a run")
    screen.until_page("/answers")
    run = get_run(services, screen.parameters()["run"])
    details = list(iterate_answers(services, run.run_id))
    assert [detail.sample.key for detail in details] == ["given", "corrected"]
    assert [detail.sample.answer for detail in details] == [
        _ANSWER,
        "Shared inboxes hold up to 20 members. Links expire after 7 days.",
    ]
    assert run.source == "guard page"
