"""A person pastes an answer with its chunks and sees at once which claims the chunks support."""

import json
import re

import pytest
from playwright.sync_api import expect

from faithview.services.bundled_files import load_examples
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_ANSWER = "Shared inboxes hold up to 50 members. Links expire after 7 days."
_CHUNKS = "Shared inboxes hold up to 20 members.\n\nLinks expire after 7 days."


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


def _paste(screen: Screen, *, answer: str = _ANSWER, chunks: str = _CHUNKS, question: str = "How many?") -> None:
    screen.visit("/try")
    screen.page.get_by_label("Question").fill(question)
    screen.page.get_by_role("textbox", name="Answer", exact=True).fill(answer)
    screen.page.get_by_role("textbox", name="Chunks", exact=True).fill(chunks)
    screen.press("Check the answer")
    screen.settle()


def test_the_verdict_is_in_words_above_marks_claims_and_chunks(screen: Screen) -> None:
    _paste(screen)
    screen.sees(re.compile(r"Not faithful: 1 of 2 claims is not supported \(1 contradicted\)"))
    expect(screen.claim(1)).to_contain_text("contradicted")
    expect(screen.claim(2)).to_contain_text("supported")
    expect(screen.answer()).to_have_js_property("textContent", _ANSWER)
    expect(screen.chunks().locator("article")).to_have_count(2)


def test_an_example_fills_the_form_and_is_judged(other_screen: Screen) -> None:
    example = load_examples()[0]
    other_screen.open("/try")
    other_screen.sees("The verdict appears here")
    other_screen.page.get_by_text(example.name, exact=True).click()
    expect(other_screen.page.get_by_role("textbox", name="Answer", exact=True)).to_have_value(example.answer)
    expect(other_screen.answer()).to_be_visible()
    expect(other_screen.answer()).to_have_js_property("textContent", example.answer)


def test_the_result_is_there_to_copy_as_markdown_json_and_python_that_works(screen: Screen) -> None:
    _paste(screen)
    screen.press("Copy")
    panel = screen.page.get_by_test_id("stPopoverBody")
    expect(panel.get_by_test_id("stCode").first.locator("code")).to_contain_text("- Contradicted: ")
    panel.get_by_role("tab", name="JSON").click()
    code = panel.get_by_test_id("stCode").nth(1).locator("code")
    expect(code).to_contain_text("faithfulness")
    document = json.loads(code.inner_text())
    assert [claim["verdict"] for claim in document["claims"]] == ["contradicted", "supported"]
    panel.get_by_role("tab", name="Python").click()
    text = panel.get_by_test_id("stCode").last.locator("code")
    expect(text).to_contain_text("from faithview import check")
    expect(text).to_contain_text(repr(_ANSWER))
    screen.key("Escape")  # open, it would lie over the form's button
    expect(panel).to_have_count(0)
