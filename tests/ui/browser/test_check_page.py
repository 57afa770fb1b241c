"""A person pastes an answer with its chunks and sees at once which claims the chunks support."""

import json
import re

import pytest
from playwright.sync_api import expect

from faithview.services.bundled_files import load_examples
from tests.ui.browser.reruns import wait_until_answered
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


def test_choosing_a_claim_puts_it_into_the_address_and_a_reload_of_the_form_keeps_the_text(screen: Screen) -> None:
    _paste(screen)
    screen.claim(1).click()
    screen.until_address(claim="1")
    screen.until(lambda: "20 members" in "".join(screen.lit("chunks")), "the claim's evidence is lit")
    expect(screen.page.get_by_role("textbox", name="Answer", exact=True)).to_have_value(_ANSWER)


def _form(screen: Screen) -> tuple[str, str, str]:
    named = (screen.page.get_by_role("textbox", name=name, exact=True) for name in ("Question", "Answer", "Chunks"))
    question, answer, chunks = (field.input_value() for field in named)
    return question, answer, chunks


def _holds(screen: Screen, question: str, answer: str, chunks: str) -> None:
    screen.until(lambda: _form(screen) == (question, answer, chunks), f"the form holds {answer!r}")
    assert "members" not in screen.page.url


def _visit(screen: Screen, page: str) -> None:
    screen.page.get_by_test_id("stSidebar").get_by_role("link", name=page).click()
    screen.until_page("/try" if page == "Try one answer" else f"/{page.lower()}")


def test_what_was_pasted_and_its_verdict_are_there_after_a_reload(screen: Screen) -> None:
    _paste(screen)
    screen.sees(re.compile("Not faithful: 1 of 2 claims is not supported"))
    screen.page.reload()
    _holds(screen, "How many?", _ANSWER, _CHUNKS)
    screen.sees(re.compile("Not faithful: 1 of 2 claims is not supported"))


def test_what_was_not_sent_yet_is_kept_too_with_its_separator(other_screen: Screen) -> None:
    other_screen.open("/try")
    chunks = "Shared inboxes hold up to 20 members.\n---\nLinks expire."
    other_screen.page.get_by_role("textbox", name="Answer", exact=True).fill(_ANSWER)
    other_screen.page.get_by_role("textbox", name="Chunks", exact=True).fill(chunks)
    split = other_screen.page.get_by_role("radio", name="Lines of ---")
    split.or_(other_screen.page.get_by_role("button", name="Lines of ---")).first.click()
    _visit(other_screen, "Upload")
    _visit(other_screen, "Try one answer")
    _holds(other_screen, "", _ANSWER, chunks)
    expect(other_screen.chunks().locator("article")).to_have_count(2)
    other_screen.page.get_by_role("textbox", name="Answer", exact=True).fill("Links expire.")
    other_screen.sees("Edited since the last result: press Check the answer.")
    other_screen.page.reload()
    _holds(other_screen, "", "Links expire.", chunks)
    other_screen.sees(re.compile("(Probably f|F)aithful:"))


def test_what_was_written_before_the_page_was_loaded_whole_is_kept_too(other_screen: Screen) -> None:
    page = other_screen.page
    page.route("**/BidiComponent.*.js", lambda _: None)  # Streamlit's code for components, such as the form's memory
    page.goto(f"{other_screen.url}/try")  # without that code it never settles
    wait_until_answered(page)
    chunks = "Shared inboxes hold up to 20 members.\n---\nLinks expire."
    page.get_by_role("textbox", name="Answer", exact=True).fill(_ANSWER)
    page.get_by_role("textbox", name="Chunks", exact=True).fill(chunks)
    split = page.get_by_role("radio", name="Lines of ---").or_(page.get_by_role("button", name="Lines of ---")).first
    split.click()
    assert page.locator(".memory").count() == 0
    page.unroute("**/BidiComponent.*.js")  # which lets those go on that were held
    expect(page.locator(".memory")).to_be_attached()
    _visit(other_screen, "Upload")
    _visit(other_screen, "Try one answer")
    _holds(other_screen, "", _ANSWER, chunks)
    expect(other_screen.chunks().locator("article")).to_have_count(2)


def test_what_was_pasted_is_in_this_tab_only(screen: Screen) -> None:
    _paste(screen)
    with screen.page.context.expect_page() as opened:
        screen.page.evaluate("window.open(location.href, '_blank', 'noopener')")
    other = opened.value
    expect(other.get_by_role("textbox", name="Answer", exact=True)).to_be_visible()
    expect(other.get_by_role("textbox", name="Answer", exact=True)).to_have_value("")
    assert not [cookie for cookie in screen.page.context.cookies() if "members" in cookie.get("value", "")]
    other.close()


def test_chunks_are_split_as_the_form_says(screen: Screen) -> None:
    screen.open("/try")  # with the usual separator
    _paste(screen, chunks="First line.\n\nStill the first chunk.\n---\nThe second.")
    expect(screen.chunks().locator("article")).to_have_count(2)
    screen.page.get_by_role("radio", name="Lines of ---").or_(
        screen.page.get_by_role("button", name="Lines of ---")
    ).first.click()
    screen.press("Check the answer")
    screen.settle()
    expect(screen.chunks().locator("article").first).to_contain_text("Still the first chunk.")


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


def test_the_button_rests_until_an_answer_and_chunks_are_there(screen: Screen) -> None:
    screen.open("/try")
    button = screen.page.locator(".st-key-check-submit")

    def rests_when_emptied() -> bool:
        # The tab keeps what the test before wrote, and the server may fill it in only after it was emptied here.
        for field in ("Answer", "Chunks"):
            screen.page.get_by_role("textbox", name=field, exact=True).fill("")
        return bool(button.evaluate("e => e.inert"))

    screen.until(rests_when_emptied, "the button of an empty form rests")
    screen.page.get_by_label("Answer", exact=True).fill("Links expire after 9 days.")
    expect(button).to_have_js_property("inert", True)
    chunks = screen.page.get_by_role("textbox", name="Chunks", exact=True)
    chunks.fill("Links expire after 7 days.")
    expect(button).to_have_js_property("inert", False)
    chunks.press("Control+Enter")
    screen.sees("contradicted")
